// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <opencv2/core.hpp>

#include "codecs/samples.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::samples;

namespace {

const cv::Size sizes[] = {{1, 1}, {1, 40}, {40, 1}, {17, 13}, {64, 48}, {129, 200}};
const int types[] = {CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3, CV_16UC4};

cv::Mat as_eight_bits(const cv::Mat& pixels) {
  cv::Mat out;
  pixels.convertTo(out, CV_8U, pixels.depth() == CV_16U ? 255.0 / 65535 : 1.0);
  return out;
}

bool is_lossless(const codecs::Codec* codec) {
  return codec == &codecs::png_codec || codec == &codecs::tiff_codec;
}

}  // namespace

TEST_CASE("PNG and TIFF give back every sample", "[codecs][round trip]") {
  for (const auto* codec : {&codecs::png_codec, &codecs::tiff_codec})
    for (const auto size : sizes)
      for (const int type : types) {
        const Image before = image(size, type);
        CAPTURE(codec->name, size.width, size.height, type);
        CHECK(largest_difference(decoded(encoded(*codec, before)).pixels, before.pixels) == 0);
      }
}

TEST_CASE("every PNG level and TIFF compression gives back every sample", "[codecs][round trip]") {
  const Image before = image({129, 61}, CV_16UC3);
  codecs::EncodeOptions options;
  for (const int level : {0, 1, 6, 9}) {
    options.png_level = level;
    CHECK(largest_difference(decoded(encoded(codecs::png_codec, before, options)).pixels,
                             before.pixels) == 0);
  }
  using enum codecs::TiffCompression;
  for (const auto compression : {automatic, none, lzw, deflate, packbits}) {
    options.tiff_compression = compression;
    CHECK(largest_difference(decoded(encoded(codecs::tiff_codec, before, options)).pixels,
                             before.pixels) == 0);
  }
}

TEST_CASE("black and white pictures become one bit a pixel and come back", "[codecs][round trip]") {
  for (const auto size : sizes) {
    Image before;
    before.pixels = strokes(size);
    for (const auto* codec : {&codecs::png_codec, &codecs::tiff_codec}) {
      const File file = encoded(*codec, before);
      CHECK(largest_difference(decoded(file).pixels, before.pixels) == 0);
      CHECK(file.size() < 700 + before.pixels.total() / 8);
    }
  }
}

TEST_CASE("lossless WebP gives back every 8-bit colour sample", "[codecs][round trip]") {
  codecs::EncodeOptions options;
  options.lossless = true;
  for (const auto size : sizes)
    for (const int type : {CV_8UC3, CV_8UC4}) {
      Image before = image(size, type);
      if (type == CV_8UC4) before.pixels.row(0).setTo(cv::Scalar(10, 20, 30, 0));
      CHECK(largest_difference(decoded(encoded(codecs::webp_codec, before, options)).pixels,
                               before.pixels) == 0);
    }
}

TEST_CASE("JPEG and WebP scale 16 bits to 8 and stay near", "[codecs][round trip]") {
  codecs::EncodeOptions options;
  options.quality = 95;
  options.chroma = codecs::Chroma::full;
  for (const int type : {CV_8UC1, CV_8UC3, CV_16UC1, CV_16UC3}) {
    const Image before = image({150, 90}, type);
    const cv::Mat expected = as_eight_bits(before.pixels);
    CAPTURE(type);
    CHECK(mean_difference(decoded(encoded(codecs::jpeg_codec, before, options)).pixels, expected) <
          2);
    if (before.pixels.channels() == 3)
      CHECK(mean_difference(decoded(encoded(codecs::webp_codec, before, options)).pixels,
                            expected) < 4);
  }
}

TEST_CASE("a gray picture stays gray in WebP's colours", "[codecs][webp]") {
  for (const int type : {CV_8UC1, CV_16UC1}) {
    const Image before = image({40, 30}, type);
    const cv::Mat after = decoded(encoded(codecs::webp_codec, before)).pixels;
    REQUIRE(after.channels() == 3);
    cv::Mat gray;
    cv::extractChannel(after, gray, 1);
    CHECK(mean_difference(gray, as_eight_bits(before.pixels)) < 4);
  }
}

TEST_CASE("every orientation comes back from every format", "[codecs][round trip]") {
  Image before = image({20, 10}, CV_8UC3);
  for (const auto* codec : codecs::all())
    for (int tag = 1; tag <= 8; ++tag) {
      before.orientation = static_cast<Orientation>(tag);
      const File file = encoded(*codec, before);
      CHECK(decoded(file).orientation == before.orientation);
      CHECK(codecs::open(file).reader->header(1).size == cv::Size(20, 10));
      ItemContext context(Context(), Origin{"own.file", {}, 0, std::nullopt});
      codecs::open(file).reader->decode(1, {}, context);
      CHECK(context.warnings().empty());
    }
}

TEST_CASE("resolutions come back from every format", "[codecs][round trip]") {
  Image before = image({20, 10}, CV_8UC3);
  for (const auto* codec : codecs::all()) {
    CHECK_FALSE(decoded(encoded(*codec, before)).resolution);
    for (const double dots : {72.0, 96.0, 300.0, 600.0, 1200.0, 254.0}) {
      CAPTURE(codec->name, dots);
      Image with = before;
      with.resolution = Resolution{dots, dots * 2};
      CHECK(decoded(encoded(*codec, with)).resolution == with.resolution);
    }
  }
}

TEST_CASE("resolution and orientation come back together", "[codecs][round trip]") {
  Image before = image({20, 10}, CV_8UC3);
  before.resolution = Resolution{300, 300};
  before.orientation = Orientation::rotated_90_clockwise;
  for (const auto* codec : codecs::all()) {
    const Image after = decoded(encoded(*codec, before));
    CHECK(after.resolution == before.resolution);
    CHECK(after.orientation == before.orientation);
  }
}

TEST_CASE("a colour profile comes back byte by byte from every format", "[codecs][icc]") {
  Image before = image({20, 10}, CV_8UC3);
  File profile = srgb_profile();
  profile.resize(200'000, std::byte{0x5A});  // more than one JPEG segment holds
  before.icc_profile = shared(profile);
  for (const auto* codec : codecs::all()) {
    if (codec == &codecs::png_codec) continue;  // libpng checks a profile's stated length
    const Image after = decoded(encoded(*codec, before));
    REQUIRE(after.icc_profile);
    CHECK(*after.icc_profile == profile);
  }
}

TEST_CASE("profiles of whole length come back from PNG and with every number of channels",
          "[codecs][icc]") {
  for (const auto* codec : codecs::all())
    for (const int type : {CV_8UC1, CV_8UC3, CV_8UC4}) {
      if (type == CV_8UC1 && codec == &codecs::webp_codec) continue;
      Image before = image({20, 10}, type);
      before.icc_profile = shared(type == CV_8UC1 ? gray_profile() : srgb_profile());
      const Image after = decoded(encoded(*codec, before));
      CAPTURE(codec->name, type);
      REQUIRE(after.icc_profile);
      CHECK(*after.icc_profile == *before.icc_profile);
    }
}

TEST_CASE("a profile that does not fit the samples is dropped with a warning", "[codecs][icc]") {
  const std::pair<int, File> cases[] = {{CV_8UC1, srgb_profile()},
                                        {CV_8UC3, gray_profile()},
                                        {CV_8UC3, colourless_cmyk_profile()},
                                        {CV_8UC3, File(10)}};
  for (const auto* codec : codecs::all())
    for (const auto& [type, profile] : cases) {
      Image before = image({20, 10}, type);
      before.icc_profile = shared(profile);
      ItemContext context = item();
      const File file = codecs::encode(*codec, before, {}, context);
      if (codec == &codecs::webp_codec && type == CV_8UC1) continue;  // written as colour
      CHECK_FALSE(decoded(file).icc_profile);
      REQUIRE(context.warnings().size() == 1);
      CHECK_THAT(context.warnings()[0], ContainsSubstring("profile is dropped"));
    }
}

TEST_CASE("transparent pixels are laid on the background in JPEG", "[codecs][jpeg]") {
  for (const int depth : {CV_8U, CV_16U}) {
    const double top = depth == CV_8U ? 255 : 65535;
    Image before;
    before.pixels = cv::Mat(16, 32, CV_MAKETYPE(depth, 4), cv::Scalar(0, 0, top, top));
    before.pixels.colRange(16, 32).setTo(cv::Scalar(0, 0, 0, 0));
    codecs::EncodeOptions options;
    options.chroma = codecs::Chroma::full;
    options.background = Colour{255, 255, 0};
    const cv::Mat after = decoded(encoded(codecs::jpeg_codec, before, options)).pixels;
    CHECK(largest_difference(after.colRange(0, 16), cv::Mat(16, 16, CV_8UC3, {0, 0, 255})) <= 3);
    CHECK(largest_difference(after.colRange(16, 32), cv::Mat(16, 16, CV_8UC3, {0, 255, 255})) <= 3);
  }
}

TEST_CASE("encoding a part of a larger picture encodes that part", "[codecs][round trip]") {
  const Image whole = image({60, 40}, CV_8UC3);
  Image part = whole;
  part.pixels = whole.pixels(cv::Rect(11, 7, 23, 19));
  for (const auto* codec : codecs::all()) {
    const cv::Mat after = decoded(encoded(*codec, part)).pixels;
    CHECK(mean_difference(after, part.pixels) < (is_lossless(codec) ? 1e-9 : 12));
  }
}
