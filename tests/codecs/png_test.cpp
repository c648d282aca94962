// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <png.h>

#include <opencv2/core.hpp>

#include "codecs/samples.hpp"
#include "stages/codecs/exif.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::samples;

namespace {

constexpr png_byte row_of_indices[] = {0, 1, 2, 3};

/// A PNG of one row of four samples, of any kind.
File one_row(int bits, int colour, const png_byte* row,
             const std::function<void(png_structp, png_infop)>& set = {}) {
  return png_file([&](png_structp png, png_infop info) {
    png_set_IHDR(png, info, 4, 1, bits, colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (set) set(png, info);
    png_write_info(png, info);
    if (bits < 8) png_set_packing(png);
    png_write_row(png, row);
    png_write_end(png, info);
  });
}

void set_palette(png_structp png, png_infop info) {
  const png_color colours[] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {9, 8, 7}};
  png_set_PLTE(png, info, colours, 4);
}

cv::Mat interlaced_drawing() { return drawing({37, 29}, CV_8UC3); }

File interlaced() {
  return png_file([](png_structp png, png_infop info) {
    cv::Mat pixels = interlaced_drawing();
    png_set_IHDR(png, info, 37, 29, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_ADAM7,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_set_bgr(png);
    for (int pass = 0, passes = png_set_interlace_handling(png); pass < passes; ++pass)
      for (int y = 0; y < pixels.rows; ++y) png_write_row(png, pixels.ptr<png_byte>(y));
    png_write_end(png, info);
  });
}

}  // namespace

TEST_CASE("a PNG palette is expanded to colours", "[codecs][png]") {
  for (const int bits : {2, 4, 8}) {
    const cv::Mat after =
        decoded(one_row(bits, PNG_COLOR_TYPE_PALETTE, row_of_indices, set_palette)).pixels;
    REQUIRE(after.type() == CV_8UC3);
    CHECK(after.at<cv::Vec3b>(0, 0) == cv::Vec3b(0, 0, 255));
    CHECK(after.at<cv::Vec3b>(0, 3) == cv::Vec3b(7, 8, 9));
  }
}

TEST_CASE("a PNG palette with transparency is expanded with alpha", "[codecs][png]") {
  const File file = one_row(8, PNG_COLOR_TYPE_PALETTE, row_of_indices, [](auto* png, auto* info) {
    set_palette(png, info);
    const png_byte alpha[] = {255, 100};
    png_set_tRNS(png, info, alpha, 2, nullptr);
  });
  const cv::Mat after = decoded(file).pixels;
  REQUIRE(after.type() == CV_8UC4);
  CHECK(after.at<cv::Vec4b>(0, 1) == cv::Vec4b(0, 255, 0, 100));
  CHECK(after.at<cv::Vec4b>(0, 2) == cv::Vec4b(255, 0, 0, 255));
}

TEST_CASE("gray PNG of one, two and four bits fills the range of eight", "[codecs][png]") {
  const png_byte one[] = {0, 1, 1, 0}, two[] = {0, 1, 2, 3}, four[] = {0, 1, 8, 15};
  const auto gray = [](int bits, const png_byte* row) {
    return decoded(one_row(bits, PNG_COLOR_TYPE_GRAY, row)).pixels;
  };
  CHECK(largest_difference(gray(1, one), (cv::Mat_<uchar>(1, 4) << 0, 255, 255, 0)) == 0);
  CHECK(largest_difference(gray(2, two), (cv::Mat_<uchar>(1, 4) << 0, 85, 170, 255)) == 0);
  CHECK(largest_difference(gray(4, four), (cv::Mat_<uchar>(1, 4) << 0, 17, 136, 255)) == 0);
}

TEST_CASE("gray PNG with alpha becomes colour with alpha", "[codecs][png]") {
  const png_byte row[] = {10, 255, 20, 128, 30, 1, 40, 0};
  const cv::Mat after = decoded(one_row(8, PNG_COLOR_TYPE_GRAY_ALPHA, row)).pixels;
  REQUIRE(after.type() == CV_8UC4);
  CHECK(after.at<cv::Vec4b>(0, 1) == cv::Vec4b(20, 20, 20, 128));
}

TEST_CASE("a transparent gray value of a PNG becomes alpha", "[codecs][png]") {
  const png_byte row[] = {5, 6, 7, 8};
  const cv::Mat after = decoded(one_row(8, PNG_COLOR_TYPE_GRAY, row, [](auto* png, auto* info) {
                          png_color_16 clear{};
                          clear.gray = 7;
                          png_set_tRNS(png, info, nullptr, 0, &clear);
                        })).pixels;
  REQUIRE(after.type() == CV_8UC4);
  CHECK(after.at<cv::Vec4b>(0, 2)[3] == 0);
  CHECK(after.at<cv::Vec4b>(0, 3)[3] == 255);
}

TEST_CASE("16-bit PNG samples are stored with the high byte first", "[codecs][png]") {
  const png_byte row[] = {0x12, 0x34, 0, 1, 1, 0, 0xFF, 0xFE};
  const cv::Mat after = decoded(one_row(16, PNG_COLOR_TYPE_GRAY, row)).pixels;
  REQUIRE(after.type() == CV_16UC1);
  CHECK(after.at<std::uint16_t>(0, 0) == 0x1234);
  CHECK(after.at<std::uint16_t>(0, 3) == 0xFFFE);
}

TEST_CASE("an interlaced PNG is put together, and cut says in which pass", "[codecs][png]") {
  const File file = interlaced();
  CHECK(largest_difference(decoded(file).pixels, interlaced_drawing()) == 0);
  CHECK_THAT(decode_error(cut(file, 0.6)),
             ContainsSubstring("truncated: ends in pass ") && ContainsSubstring(" of 7"));
  codecs::DecodeRequest request;
  request.truncated = codecs::Truncated::warn;
  CHECK(decoded(cut(file, 0.6), request).pixels.size() == cv::Size(37, 29));
}

TEST_CASE("a cut PNG says after which row and keeps it when that is asked for",
          "[codecs][png][damage]") {
  const Image before = image({200, 150}, CV_8UC3);
  const File file = cut(encoded(codecs::png_codec, before), 0.7);
  CHECK_THAT(decode_error(file),
             ContainsSubstring("truncated: ends after row ") && ContainsSubstring(" of 150"));
  codecs::DecodeRequest request;
  request.truncated = codecs::Truncated::warn;
  ItemContext context = item();
  const cv::Mat after = decoded(file, request, context).pixels;
  CHECK(context.warnings().size() == 1);
  CHECK(largest_difference(after.rowRange(0, 60), before.pixels.rowRange(0, 60)) == 0);
  CHECK(cv::countNonZero(after.row(149).reshape(1)) == 0);
}

TEST_CASE("damage in a PNG's data is found", "[codecs][png][damage]") {
  File file = encoded(codecs::png_codec, image({200, 150}, CV_8UC3));
  file[file.size() / 2] ^= std::byte{0x55};
  CHECK_THAT(decode_error(file), ContainsSubstring("corrupt after row "));
}

TEST_CASE("a PNG that lacks nothing but its end marker is whole", "[codecs][png][damage]") {
  const Image before = image({64, 48}, CV_8UC3);
  File file = encoded(codecs::png_codec, before);
  file.resize(file.size() - 12);
  ItemContext context = item();
  CHECK(largest_difference(decoded(file, {}, context).pixels, before.pixels) == 0);
  REQUIRE(context.warnings().size() == 1);
  CHECK_THAT(context.warnings()[0], ContainsSubstring("no end marker"));
}

TEST_CASE("EXIF behind a PNG's pixels is read", "[codecs][png][exif]") {
  File exif = codecs::make_exif(Orientation::rotated_90_clockwise, std::nullopt);
  const File file = png_file([&exif](png_structp png, png_infop info) {
    const png_byte row[] = {1, 2, 3, 4};
    png_set_IHDR(png, info, 4, 1, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_write_row(png, row);
    constexpr png_byte name[] = "eXIf";
    png_write_chunk(png, name, reinterpret_cast<png_bytep>(exif.data()), exif.size());
    png_write_end(png, nullptr);
  });
  CHECK(codecs::open(file).reader->header(1).orientation == Orientation::rotated_90_clockwise);
}

TEST_CASE("an animated PNG gives its first frame and says what is dropped", "[codecs][png]") {
  const png_byte row[] = {1, 2, 3, 4};
  const File file = one_row(8, PNG_COLOR_TYPE_GRAY, row, [](auto* png, auto* info) {
    constexpr png_byte frames[] = {0, 0, 0, 5, 0, 0, 0, 0};
    png_unknown_chunk chunk{};
    std::copy_n("acTL", 5, chunk.name);
    chunk.data = const_cast<png_bytep>(frames);
    chunk.size = sizeof frames;
    chunk.location = PNG_HAVE_IHDR;
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, nullptr, 0);
    png_set_unknown_chunks(png, info, &chunk, 1);
  });
  ItemContext context = item();
  decoded(file, {}, context);
  REQUIRE(context.warnings().size() == 1);
  CHECK_THAT(context.warnings()[0], ContainsSubstring("4 frames are dropped"));
}
