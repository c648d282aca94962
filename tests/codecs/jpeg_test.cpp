// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <jpeglib.h>

#include <cstdio>
#include <opencv2/imgproc.hpp>

#include "codecs/samples.hpp"
#include "stages/codecs/exif.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::samples;

namespace {

/// 0, 100, 100, 0 percent of ink, as samples of 255 for full ink or, inverted, of 0.
cv::Mat red_ink(bool inverted) {
  return cv::Mat(32, 32, CV_8UC4,
                 inverted ? cv::Scalar(255, 0, 0, 255) : cv::Scalar(0, 255, 255, 0));
}

void write_profile(jpeg_compress_struct& out, const File& profile) {
  jpeg_write_icc_profile(&out, reinterpret_cast<const JOCTET*>(profile.data()),
                         static_cast<unsigned>(profile.size()));
}

void write_exif(jpeg_compress_struct& out, const File& block) {
  File segment = {std::byte{'E'}, std::byte{'x'}, std::byte{'i'},
                  std::byte{'f'}, std::byte{0},   std::byte{0}};
  segment.insert(segment.end(), block.begin(), block.end());
  jpeg_write_marker(&out, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(segment.data()),
                    static_cast<unsigned>(segment.size()));
}

cv::Scalar middle(const cv::Mat& pixels) {
  return cv::mean(pixels(cv::Rect(pixels.cols / 4, pixels.rows / 4, 2, 2)));
}

bool is_near(const cv::Scalar& a, const cv::Scalar& b, double most) {
  return cv::norm(a - b) <= most;
}

}  // namespace

TEST_CASE("CMYK with Adobe's marker is read as inverted ink", "[codecs][jpeg][cmyk]") {
  for (const auto stored : {JCS_CMYK, JCS_YCCK}) {
    const File file = jpeg_file(red_ink(true), JCS_CMYK, [stored](auto& out) {
      jpeg_set_colorspace(&out, stored);
      out.write_Adobe_marker = TRUE;
    });
    const Image after = decoded(file);
    REQUIRE(after.pixels.type() == CV_8UC3);
    CHECK(is_near(middle(after.pixels), {0, 0, 255}, 6));
  }
}

TEST_CASE("CMYK without Adobe's marker is read as plain ink", "[codecs][jpeg][cmyk]") {
  const File file =
      jpeg_file(red_ink(false), JCS_CMYK, [](auto& out) { out.write_Adobe_marker = FALSE; });
  CHECK(is_near(middle(decoded(file).pixels), {0, 0, 255}, 6));
}

TEST_CASE("CMYK goes through its profile, which is then dropped", "[codecs][jpeg][cmyk]") {
  const File profile = colourless_cmyk_profile();
  const File file =
      jpeg_file(red_ink(true), JCS_CMYK, {}, [&](auto& out) { write_profile(out, profile); });
  ItemContext context = item();
  const Image after = decoded(file, {}, context);
  const cv::Scalar seen = middle(after.pixels);
  CHECK(is_near(seen, {seen[1], seen[1], seen[1]}, 3));
  CHECK(seen[1] > 60);
  CHECK(seen[1] < 200);
  CHECK_FALSE(after.icc_profile);
  CHECK(context.warnings().empty());
}

TEST_CASE("CMYK with a profile of another kind is read by the formula, with a warning",
          "[codecs][jpeg][cmyk]") {
  const File profile = srgb_profile();
  const File file =
      jpeg_file(red_ink(true), JCS_CMYK, {}, [&](auto& out) { write_profile(out, profile); });
  ItemContext context = item();
  const Image after = decoded(file, {}, context);
  CHECK(is_near(middle(after.pixels), {0, 0, 255}, 6));
  CHECK_FALSE(after.icc_profile);
  REQUIRE(context.warnings().size() == 1);
  CHECK_THAT(context.warnings()[0], ContainsSubstring("does not describe CMYK"));
}

TEST_CASE("gray is decoded from luminance alone when it is asked for", "[codecs][jpeg]") {
  Image before = image({120, 80}, CV_8UC3);
  before.icc_profile = shared(srgb_profile());
  codecs::DecodeRequest request;
  request.gray = true;
  ItemContext context = item();
  const Image after = decoded(encoded(codecs::jpeg_codec, before), request, context);
  cv::Mat expected;
  cv::cvtColor(before.pixels, expected, cv::COLOR_BGR2GRAY);
  CHECK(mean_difference(after.pixels, expected) < 3);
  CHECK_FALSE(after.icc_profile);
  CHECK(context.warnings().empty());
}

TEST_CASE("a JPEG is shrunk while it is decoded, never below what is asked for", "[codecs][jpeg]") {
  const File file = encoded(codecs::jpeg_codec, image({1003, 407}, CV_8UC3));
  const std::pair<cv::Size, cv::Size> cases[] = {
      {{125, 51}, {125, 51}},     {{126, 51}, {251, 102}},  {{125, 52}, {251, 102}},
      {{400, 10}, {502, 204}},    {{502, 204}, {502, 204}}, {{503, 1}, {1003, 407}},
      {{2000, 900}, {1003, 407}}, {{1, 1}, {125, 51}}};
  for (const auto& [at_least, expected] : cases) {
    codecs::DecodeRequest request;
    request.at_least = at_least;
    CHECK(decoded(file, request).pixels.size() == expected);
  }
}

TEST_CASE("a shrunk JPEG looks like the whole one made smaller", "[codecs][jpeg]") {
  for (const auto chroma : {codecs::Chroma::quarter, codecs::Chroma::full}) {
    codecs::EncodeOptions options;
    options.chroma = chroma;
    options.quality = 95;
    const Image before = image({640, 400}, CV_8UC3);
    const File file = encoded(codecs::jpeg_codec, before, options);
    for (const int by : {2, 4, 8}) {
      codecs::DecodeRequest request;
      request.at_least = cv::Size(640 / by, 400 / by);
      cv::Mat expected;
      cv::resize(before.pixels, expected, request.at_least, 0, 0, cv::INTER_AREA);
      CHECK(mean_difference(decoded(file, request).pixels, expected) < 4);
    }
  }
}

TEST_CASE("the smallest pictures can be shrunk", "[codecs][jpeg]") {
  codecs::DecodeRequest request;
  request.at_least = cv::Size(1, 1);
  for (const auto size : {cv::Size(1, 1), cv::Size(3, 200), cv::Size(200, 3)}) {
    const cv::Size shrunk =
        decoded(encoded(codecs::jpeg_codec, image(size, CV_8UC3)), request).pixels.size();
    CHECK_FALSE(shrunk.empty());
    CHECK(shrunk.area() <= size.area());
  }
}

TEST_CASE("progressive JPEG and one with its own Huffman tables hold the same pixels",
          "[codecs][jpeg]") {
  const Image before = image({200, 120}, CV_8UC3);
  const File plain = encoded(codecs::jpeg_codec, before);
  codecs::EncodeOptions options;
  options.optimize = true;
  const File optimized = encoded(codecs::jpeg_codec, before, options);
  options.progressive = true;
  const File progressive = encoded(codecs::jpeg_codec, before, options);
  CHECK(optimized.size() < plain.size());
  CHECK(largest_difference(decoded(optimized).pixels, decoded(plain).pixels) == 0);
  CHECK(largest_difference(decoded(progressive).pixels, decoded(plain).pixels) == 0);
}

TEST_CASE("quality and chroma change the size of a JPEG", "[codecs][jpeg]") {
  const Image before = image({300, 200}, CV_8UC3);
  codecs::EncodeOptions options;
  const auto size = [&] { return encoded(codecs::jpeg_codec, before, options).size(); };
  const auto unset = size();
  options.quality = 85;
  CHECK(size() == unset);
  options.quality = 30;
  CHECK(size() < unset);
  options.quality = 85;
  options.chroma = codecs::Chroma::full;
  CHECK(size() > unset);
}

TEST_CASE("EXIF orientation is read in both byte orders and outside 1..8 is upright",
          "[codecs][jpeg][exif]") {
  for (int tag = 0; tag <= 9; ++tag) {
    File block = codecs::make_exif(static_cast<Orientation>(tag), std::nullopt);
    ItemContext context = item();
    const File file = jpeg_file(drawing({16, 8}, CV_8UC3), JCS_EXT_BGR, {},
                                [&](auto& out) { write_exif(out, block); });
    const bool valid = tag >= 1 && tag <= 8;
    CHECK(static_cast<int>(decoded(file, {}, context).orientation) == (valid ? tag : 1));
    CHECK(context.warnings().size() == (tag == 9 ? 1u : 0u));
  }
}

TEST_CASE("a cut JPEG says after which row", "[codecs][jpeg][damage]") {
  const File file = encoded(codecs::jpeg_codec, image({320, 240}, CV_8UC3));
  CHECK_THAT(decode_error(cut(file, 0.01)), ContainsSubstring("truncated: ends within its header"));
  const std::string error = decode_error(cut(file, 0.5));
  CHECK_THAT(error,
             ContainsSubstring("truncated: ends after row ") && ContainsSubstring(" of 240"));
  CHECK_FALSE(decode_error(cut(file, 0.97)).empty());
}

TEST_CASE("a cut JPEG keeps what it has when that is asked for", "[codecs][jpeg][damage]") {
  const Image before = image({320, 240}, CV_8UC3);
  codecs::DecodeRequest request;
  request.truncated = codecs::Truncated::warn;
  ItemContext context = item();
  const File file = encoded(codecs::jpeg_codec, before);
  const cv::Mat after = decoded(cut(file, 0.6), request, context).pixels;
  REQUIRE(context.warnings().size() == 1);
  CHECK_THAT(context.warnings()[0], ContainsSubstring("truncated: ends after row"));
  CHECK(mean_difference(after.rowRange(0, 80), before.pixels.rowRange(0, 80)) < 8);
}

TEST_CASE("a JPEG that lacks nothing but its end marker is whole", "[codecs][jpeg][damage]") {
  for (const bool progressive : {false, true}) {
    codecs::EncodeOptions options;
    options.progressive = progressive;
    File file = encoded(codecs::jpeg_codec, image({64, 48}, CV_8UC3), options);
    const cv::Mat whole = decoded(file).pixels;
    file.resize(file.size() - 2);
    ItemContext context = item();
    CHECK(largest_difference(decoded(file, {}, context).pixels, whole) == 0);
    REQUIRE(context.warnings().size() == 1);
    CHECK_THAT(context.warnings()[0], ContainsSubstring("no end marker"));
  }
}

TEST_CASE("a JPEG whose end marker comes too early is truncated", "[codecs][jpeg][damage]") {
  File file = cut(encoded(codecs::jpeg_codec, image({320, 240}, CV_8UC3)), 0.5);
  file.insert(file.end(), {std::byte{0xFF}, std::byte{0xD9}});
  CHECK_THAT(decode_error(file), ContainsSubstring("truncated: ends after row"));
}

TEST_CASE("a cut progressive JPEG says in which scan", "[codecs][jpeg][damage]") {
  codecs::EncodeOptions options;
  options.progressive = true;
  const File file = encoded(codecs::jpeg_codec, image({320, 240}, CV_8UC3), options);
  for (double part = 0.15; part < 0.95; part += 0.01)
    CHECK_THAT(decode_error(cut(file, part)), ContainsSubstring("truncated: ends in scan") ||
                                                  ContainsSubstring("truncated: ends after scan"));
}

TEST_CASE(
    "a progressive JPEG cut anywhere behind its first scans gives a picture when that is "
    "asked for",
    "[codecs][jpeg][damage]") {
  codecs::EncodeOptions options;
  options.progressive = true;
  const File file = encoded(codecs::jpeg_codec, image({320, 240}, CV_8UC3), options);
  const cv::Mat whole = decoded(file).pixels;
  codecs::DecodeRequest request;
  request.truncated = codecs::Truncated::warn;
  for (double part = 0.3; part < 0.95; part += 0.01) {
    ItemContext context = item();
    CHECK(mean_difference(decoded(cut(file, part), request, context).pixels, whole) < 20);
    CHECK(context.warnings().size() == 1);
  }
}

TEST_CASE("a progressive JPEG cut between two scans is truncated", "[codecs][jpeg][damage]") {
  codecs::EncodeOptions options;
  options.progressive = true;
  const File file = encoded(codecs::jpeg_codec, image({64, 48}, CV_8UC3), options);
  std::size_t last_scan = 0;  // where its marker FF DA is
  for (std::size_t i = 0; i + 1 < file.size(); ++i)
    if (file[i] == std::byte{0xFF} && file[i + 1] == std::byte{0xDA}) last_scan = i;
  const File shorter(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(last_scan));
  CHECK_THAT(decode_error(shorter), ContainsSubstring("truncated: ends after scan 9"));
}

TEST_CASE("more scans than anyone needs are refused", "[codecs][jpeg][damage]") {
  const File base = jpeg_file(drawing({8, 8}, CV_8UC1), JCS_GRAYSCALE,
                              [](auto& out) { jpeg_simple_progression(&out); });
  // The library writes no scan twice: repeat the first one in the file.
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i + 1 < base.size(); ++i)
    if (base[i] == std::byte{0xFF} && base[i + 1] == std::byte{0xDA}) starts.push_back(i);
  REQUIRE(starts.size() > 1);
  const auto at = [&base](std::size_t i) { return base.begin() + static_cast<std::ptrdiff_t>(i); };
  File bomb(base.begin(), at(starts[0]));
  for (int i = 0; i < 600; ++i) bomb.insert(bomb.end(), at(starts[0]), at(starts[1]));
  bomb.insert(bomb.end(), at(starts[1]), base.end());
  CHECK_THAT(decode_error(bomb), ContainsSubstring("more than 500 scans"));
}

TEST_CASE("damage inside a JPEG is one warning", "[codecs][jpeg][damage]") {
  const File good = jpeg_file(drawing({320, 240}, CV_8UC3), JCS_EXT_BGR,
                              [](auto& out) { out.restart_in_rows = 1; });
  File file = good;
  for (const double part : {0.4, 0.5, 0.6}) {
    const auto at = static_cast<std::size_t>(static_cast<double>(file.size()) * part);
    file[at] = std::byte{0xFF};
    file[at + 1] = std::byte{0xD3};
  }
  ItemContext context = item();
  CHECK(decoded(file, {}, context).pixels.size() == cv::Size(320, 240));
  CHECK(context.warnings().size() == 1);
}

TEST_CASE("JPEG that the library cannot read is said to be unsupported", "[codecs][jpeg]") {
  File file = encoded(codecs::jpeg_codec, image({16, 16}, CV_8UC3));
  std::size_t frame = 0;
  while (file[frame] != std::byte{0xFF} || file[frame + 1] != std::byte{0xC0}) ++frame;
  File lossless = file, deep = file;
  lossless[frame + 1] = std::byte{0xC3};
  deep[frame + 4] = std::byte{12};
  CHECK_THAT(decode_error(lossless), ContainsSubstring("unsupported: lossless"));
  CHECK_THAT(decode_error(deep), ContainsSubstring("unsupported: JPEG of 12 bits per sample"));
}

TEST_CASE("arithmetic coding and RGB samples are read", "[codecs][jpeg]") {
  const cv::Mat before = drawing({64, 48}, CV_8UC3);
  const File arithmetic = jpeg_file(before, JCS_EXT_BGR, [](auto& out) { out.arith_code = TRUE; });
  const File rgb =
      jpeg_file(before, JCS_EXT_BGR, [](auto& out) { jpeg_set_colorspace(&out, JCS_RGB); });
  const File huffman = jpeg_file(before, JCS_EXT_BGR);
  CHECK(largest_difference(decoded(arithmetic).pixels, decoded(huffman).pixels) == 0);
  CHECK(mean_difference(decoded(rgb).pixels, before) < 3);
}

TEST_CASE("a density without a unit is no resolution, and one per centimetre is converted",
          "[codecs][jpeg]") {
  const auto with_unit = [](int unit) {
    return decoded(jpeg_file(drawing({8, 8}, CV_8UC3), JCS_EXT_BGR,
                             [unit](auto& out) {
                               out.density_unit = static_cast<UINT8>(unit);
                               out.X_density = out.Y_density = 100;
                             }))
        .resolution;
  };
  CHECK_FALSE(with_unit(0));
  CHECK(with_unit(1) == Resolution{100, 100});
  CHECK(with_unit(2) == Resolution{254, 254});
}
