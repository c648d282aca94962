// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// The plugin is there where OpenCV's imgcodecs was at build time.
#ifdef MILLRACE_JP2_FOLDER

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "millrace/plugin.hpp"
#include "support/catch.hpp"
#include "support/make_stage.hpp"

using namespace millrace;
using namespace std::string_literals;

namespace {

std::string read(const std::string& name) {
  std::ifstream file(std::filesystem::path(MILLRACE_JP2_FOLDER) / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i);
  return text;
}

/// One row of 24 bits a pixel, at 300 dots per inch (11811 per metre).
std::string bmp(int width, const std::string& row) {
  return "BM" + little(54 + row.size(), 4) + little(0, 4) + little(54, 4) + little(40, 4) +
         little(static_cast<std::uint64_t>(width), 4) + little(1, 4) + little(1, 2) +
         little(24, 2) + little(0, 4) + little(0, 4) + little(11811, 4) + little(11811, 4) +
         little(0, 8) + row;
}

/// What `decode` makes of a file that is none of its own formats.
struct Decoded {
  explicit Decoded(const std::string& file, const testing::Settings& settings = {}) {
    load_manifests();
    const auto stage = testing::make_stage("decode", settings);
    const auto* const bytes = reinterpret_cast<const std::byte*>(file.data());
    ItemContext context(Context(), {});
    const Emit emit = [this](Payload payload, auto) {
      image = std::get<Image>(std::move(payload));
      const cv::Mat flat = image.pixels.reshape(1, 1);
      for (int i = 0; i < flat.cols; ++i)
        samples.push_back(flat.depth() == CV_8U ? flat.at<uchar>(0, i) : flat.at<ushort>(0, i));
    };
    try {
      stage->make_worker(context)->work(
          context,
          Bytes{std::make_shared<const std::vector<std::byte>>(bytes, bytes + file.size()), ""},
          emit);
    } catch (const Error& thrown) {
      error = thrown.what();
    }
  }

  Image image;
  std::vector<int> samples;
  std::string error;
};

using Samples = std::vector<int>;

}  // namespace

TEST_CASE("decode reads BMP by the plugin, with its resolution", "[plugin][opencv_codecs]") {
  const Decoded bitmap(bmp(2, "\1\2\3\xFD\xFE\xFF\0\0"s));
  CHECK(bitmap.error.empty());
  CHECK(bitmap.samples == Samples{1, 2, 3, 253, 254, 255});
  CHECK(bitmap.image.format == "bmp");
  REQUIRE(bitmap.image.resolution);
  CHECK(bitmap.image.resolution->x == Approx(300).epsilon(1e-4));
}

TEST_CASE("samples of PNM are on the full range, whatever their largest is",
          "[plugin][opencv_codecs]") {
  CHECK(Decoded("P5 3 1 255\n\0\7\xFF"s).samples == Samples{0, 7, 255});
  CHECK(Decoded("P5 3 1 15\n\0\7\x0F"s).samples == Samples{0, 119, 255});
  CHECK(Decoded("P2 3 1 15 0 7 15\n").samples == Samples{0, 119, 255});
  CHECK(Decoded("P6\n# by hand\n1 1 15\n\x0F\7\0"s).samples == Samples{0, 119, 255});
  CHECK(Decoded("P3 1 1 15 15 7 0\n").samples == Samples{0, 119, 255});
  CHECK(Decoded("P5 2 1 1023\n\3\xFF\0\0"s).samples == Samples{65535, 0});
  CHECK(Decoded("P4 8 1\n\xA5").samples == Samples{0, 255, 0, 255, 255, 0, 255, 0});
}

TEST_CASE("decode reads JPEG 2000 by the plugin", "[plugin][opencv_codecs]") {
  const Decoded gray(read("gray16.jp2"));
  REQUIRE(gray.image.pixels.type() == CV_16UC1);
  CHECK(gray.image.pixels.at<ushort>(3, 50) == 50'003);
  const Decoded colour(read("colour.jp2"));
  REQUIRE(colour.image.pixels.type() == CV_8UC3);
  CHECK(colour.image.pixels.at<cv::Vec3b>(2, 10) == cv::Vec3b(12, 72, 132));
  CHECK(colour.image.format == "jp2");
}

TEST_CASE("a profile in a JPEG 2000 file stays with the picture", "[plugin][opencv_codecs]") {
  std::string file = read("colour.jp2");
  const auto box = file.find("colr");
  REQUIRE(box != file.npos);
  // In place of an enumerated colour space of 7 bytes, a profile of 4.
  file[box + 4] = 2;
  CHECK_FALSE(Decoded(read("colour.jp2")).image.icc_profile);
  REQUIRE(Decoded(file).image.icc_profile);
  CHECK(Decoded(file).image.icc_profile->size() == 4);
}

TEST_CASE("what the plugin cannot read is told, and nothing is printed",
          "[plugin][opencv_codecs]") {
  using Catch::Matchers::Contains;
  CHECK_THAT(Decoded(bmp(2, "\1\2"s)).error, Contains("corrupt or truncated"));
  CHECK_THAT(Decoded("P5 300 1 255\nabc").error, Contains("corrupt or truncated"));
  CHECK_THAT(Decoded("P5 30").error, Contains("ends within its header"));
  CHECK_THAT(Decoded("P6 0 4 255\n").error, Contains("has no pixels"));
  CHECK_THAT(Decoded(read("gray16.jp2").substr(0, 200)).error, Contains("corrupt or truncated"));
  std::string deep = read("gray16.jp2");
  deep[deep.find("\xFF\x4F\xFF\x51") + 42] = 11;
  CHECK_THAT(Decoded(deep).error, Contains("has 12 bits per sample"));
}

TEST_CASE("decode's limit of pixels holds for the plugin", "[plugin][opencv_codecs]") {
  const Decoded large("P5 40000 40000 255\nabc", {{"max_pixels", "1000000"}});
  CHECK(large.error ==
        "has 40000 x 40000 pixels, above the limit of 1000000; option max_pixels raises it");
}

TEST_CASE("what no decoder knows is told as before", "[plugin][opencv_codecs]") {
  CHECK_THAT(Decoded("GIF89a, and more").error,
             Catch::Matchers::Contains("(JPEG, PNG, WebP, TIFF); it starts like GIF"));
  CHECK(Decoded("BMW is a company, and this is a text").error.find("starts like text") !=
        std::string::npos);
}

#endif
