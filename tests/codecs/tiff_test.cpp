// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <tiffio.h>

#include <cstring>
#include <opencv2/core.hpp>

#include "codecs/samples.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::samples;

namespace {

struct Page {
  cv::Size size;
  int bits, samples, photometric;
  int planar = PLANARCONFIG_CONTIG;
  int compression = COMPRESSION_NONE;
};

void describe(TIFF* tiff, const Page& page) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, page.size.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, page.size.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, page.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, page.samples);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, page.photometric);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, page.planar);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, page.compression);
}

/// One row of packed samples.
File row_file(const Page& page, std::vector<std::uint8_t> row,
              const std::function<void(TIFF*)>& set = {}) {
  return tiff_file([&](TIFF* tiff) {
    describe(tiff, page);
    if (set) set(tiff);
    TIFFWriteScanline(tiff, row.data(), 0, 0);
  });
}

cv::Mat rgb_of(const cv::Mat& bgr) {
  cv::Mat rgb = bgr.clone();
  const int from_to[] = {0, 2, 1, 1, 2, 0};
  cv::mixChannels(bgr, rgb, from_to, 3);
  return rgb;
}

/// The picture in tiles of 16 x 32 or in strips of 7 rows, by pixels or by planes.
File laid_out(const cv::Mat& pixels, bool tiled, bool planes, const char* mode = "w") {
  const cv::Mat rgb = rgb_of(pixels);
  std::vector<cv::Mat> parts = {rgb};
  if (planes) cv::split(rgb, parts);
  const cv::Size block = tiled ? cv::Size(16, 32) : cv::Size(rgb.cols, 7);
  const auto fill = [&](TIFF* tiff) {
    describe(tiff, {rgb.size(), rgb.depth() == CV_16U ? 16 : 8, 3, PHOTOMETRIC_RGB,
                    planes ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG, COMPRESSION_LZW});
    if (tiled) TIFFSetField(tiff, TIFFTAG_TILEWIDTH, block.width);
    TIFFSetField(tiff, tiled ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP, block.height);
    std::uint32_t index = 0;
    for (const cv::Mat& part : parts)
      for (int y = 0; y < part.rows; y += block.height)
        for (int x = 0; x < part.cols; x += block.width) {
          const cv::Rect place = cv::Rect({x, y}, block) & cv::Rect({}, part.size());
          const int rows = tiled ? block.height : place.height;  // tiles are always whole
          cv::Mat whole(rows, block.width, part.type(), cv::Scalar::all(0));
          part(place).copyTo(whole(cv::Rect({}, place.size())));
          const auto size = static_cast<tmsize_t>(whole.total() * whole.elemSize());
          tiled ? TIFFWriteEncodedTile(tiff, index++, whole.data, size)
                : TIFFWriteEncodedStrip(tiff, index++, whole.data, size);
        }
  };
  return tiff_file(fill, mode);
}

/// Header, directory, then the pixels in one strip: what is cut off are pixels.
File directory_first(const cv::Mat& gray) {
  File file;
  const auto put = [&file](std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) file.push_back(static_cast<std::byte>(value >> (8 * i)));
  };
  const auto width = static_cast<std::uint32_t>(gray.cols);
  const auto height = static_cast<std::uint32_t>(gray.rows);
  const std::pair<std::uint32_t, std::uint32_t> fields[] = {
      {TIFFTAG_IMAGEWIDTH, width},
      {TIFFTAG_IMAGELENGTH, height},
      {TIFFTAG_BITSPERSAMPLE, 8},
      {TIFFTAG_COMPRESSION, 1},
      {TIFFTAG_PHOTOMETRIC, 1},
      {TIFFTAG_STRIPOFFSETS, 122},
      {TIFFTAG_SAMPLESPERPIXEL, 1},
      {TIFFTAG_ROWSPERSTRIP, height},
      {TIFFTAG_STRIPBYTECOUNTS, width * height}};
  put('I' | 'I' << 8, 2);
  put(42, 2);
  put(8, 4);
  put(std::size(fields), 2);
  for (const auto& [tag, value] : fields) {
    put(tag, 2);
    put(4, 2);  // LONG
    put(1, 4);
    put(value, 4);
  }
  put(0, 4);
  for (int y = 0; y < gray.rows; ++y)
    for (int x = 0; x < gray.cols; ++x) file.push_back(std::byte{gray.at<std::uint8_t>(y, x)});
  return file;
}

std::vector<int> first_row(const File& file) {
  const cv::Mat pixels = decoded(file).pixels;
  const auto* row = pixels.ptr<std::uint8_t>(0);
  if (pixels.depth() == CV_8U) return {row, row + pixels.cols * pixels.channels()};
  const auto* wide = pixels.ptr<std::uint16_t>(0);
  return {wide, wide + pixels.cols * pixels.channels()};
}

}  // namespace

TEST_CASE("TIFF samples of few bits fill the whole range", "[codecs][tiff]") {
  const auto gray = [](int bits, int width, std::vector<std::uint8_t> row) {
    return first_row(row_file({{width, 1}, bits, 1, PHOTOMETRIC_MINISBLACK}, std::move(row)));
  };
  CHECK(gray(1, 3, {0b01000000}) == std::vector{0, 255, 0});
  CHECK(gray(2, 4, {0b00011011}) == std::vector{0, 85, 170, 255});
  CHECK(gray(4, 3, {0x08, 0xF0}) == std::vector{0, 136, 255});
  CHECK(gray(12, 2, {0xFF, 0xF8, 0x00}) == std::vector{65535, 32776});
}

TEST_CASE("white is 255 where the file has it as 0", "[codecs][tiff]") {
  const auto gray = [](int bits, int width, std::vector<std::uint8_t> row) {
    return first_row(row_file({{width, 1}, bits, 1, PHOTOMETRIC_MINISWHITE}, std::move(row)));
  };
  CHECK(gray(1, 10, {0b01000000, 0b01000000}) ==
        std::vector{255, 0, 255, 255, 255, 255, 255, 255, 255, 0});
  CHECK(gray(4, 2, {0x0F}) == std::vector{255, 0});
  CHECK(gray(8, 2, {10, 255}) == std::vector{245, 0});
}

TEST_CASE("TIFF palettes of 16 bits, and those wrongly left at 8, are expanded", "[codecs][tiff]") {
  for (const int scale : {1, 257}) {
    std::uint16_t red[16] = {}, green[16] = {}, blue[16] = {};
    red[1] = static_cast<std::uint16_t>(200 * scale);
    green[2] = static_cast<std::uint16_t>(100 * scale);
    blue[15] = static_cast<std::uint16_t>(50 * scale);
    const File file = row_file({{4, 1}, 4, 1, PHOTOMETRIC_PALETTE}, {0x01, 0x2F}, [&](TIFF* tiff) {
      TIFFSetField(tiff, TIFFTAG_COLORMAP, red, green, blue);
    });
    CHECK(first_row(file) == std::vector{0, 0, 0, 0, 0, 200, 0, 100, 0, 50, 0, 0});
  }
}

TEST_CASE("tiles, strips, planes and both byte orders give the same picture", "[codecs][tiff]") {
  for (const int type : {CV_8UC3, CV_16UC3})
    for (const bool tiled : {false, true})
      for (const bool planes : {false, true})
        for (const char* mode : {"w", "wb", "wl", "w8"}) {
          CAPTURE(type, tiled, planes, mode);
          const cv::Mat before = drawing({45, 70}, type);
          CHECK(largest_difference(decoded(laid_out(before, tiled, planes, mode)).pixels, before) ==
                0);
        }
}

TEST_CASE("gray with alpha becomes colour with alpha in TIFF", "[codecs][tiff]") {
  const std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
  const File file =
      row_file({{2, 1}, 8, 2, PHOTOMETRIC_MINISBLACK}, {10, 200, 20, 0},
               [&](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind); });
  CHECK(first_row(file) == std::vector{10, 10, 10, 200, 20, 20, 20, 0});
}

TEST_CASE("premultiplied TIFF colours are divided by their alpha", "[codecs][tiff]") {
  const std::uint16_t kind = EXTRASAMPLE_ASSOCALPHA;
  const File file =
      row_file({{2, 1}, 8, 4, PHOTOMETRIC_RGB}, {100, 50, 25, 128, 1, 2, 3, 0},
               [&](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind); });
  CHECK(first_row(file) == std::vector{50, 100, 199, 128, 0, 0, 0, 0});
}

TEST_CASE("a sample that is not said to be alpha is not taken for it", "[codecs][tiff]") {
  const std::uint16_t kind = EXTRASAMPLE_UNSPECIFIED;
  const File file = row_file({{1, 1}, 8, 4, PHOTOMETRIC_RGB}, {1, 2, 3, 77}, [&](TIFF* tiff) {
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
  });
  CHECK(first_row(file) == std::vector{3, 2, 1});
}

TEST_CASE("CMYK TIFF becomes colours, by formula or through its profile", "[codecs][tiff][cmyk]") {
  const Page page{{2, 1}, 8, 4, PHOTOMETRIC_SEPARATED};
  CHECK(first_row(row_file(page, {0, 255, 255, 0, 0, 0, 0, 255})) ==
        std::vector{0, 0, 255, 0, 0, 0});
  const File profile = colourless_cmyk_profile();
  const auto seen = first_row(row_file(page, {0, 255, 255, 0, 0, 0, 0, 0}, [&](TIFF* tiff) {
    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(profile.size()),
                 profile.data());
  }));
  CHECK(std::abs(seen[0] - seen[2]) <= 2);
  CHECK(seen[0] > 50);
  CHECK(seen[0] < 200);
  CHECK(seen[3] >= 254);
}

TEST_CASE("16-bit CMYK TIFF stays 16-bit", "[codecs][tiff][cmyk]") {
  std::vector<std::uint8_t> row(8);
  const std::uint16_t inks[] = {0, 32768, 65535, 0};
  std::memcpy(row.data(), inks, 8);
  CHECK(first_row(row_file({{1, 1}, 16, 4, PHOTOMETRIC_SEPARATED}, row)) ==
        std::vector{0, 32767, 65535});
}

TEST_CASE("JPEG in TIFF is read as colours", "[codecs][tiff]") {
  cv::Mat before(32, 48, CV_8UC3, cv::Scalar(40, 90, 200));
  const File file = tiff_file([&](TIFF* tiff) {
    describe(tiff, {before.size(), 8, 3, PHOTOMETRIC_YCBCR, PLANARCONFIG_CONTIG, COMPRESSION_JPEG});
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 16);
    cv::Mat rgb = rgb_of(before);
    for (int y = 0; y < rgb.rows; ++y)
      TIFFWriteScanline(tiff, rgb.ptr(y), static_cast<std::uint32_t>(y), 0);
  });
  CHECK(largest_difference(decoded(file).pixels, before) <= 4);
}

TEST_CASE("colour spaces that libtiff converts are read through it, as they are stored",
          "[codecs][tiff]") {
  for (int orientation : {1, 3, 4}) {
    // L* = 100 then 0, a* = b* = 0: white over black.
    const File file = tiff_file([orientation](TIFF* tiff) {
      describe(tiff, {{1, 2}, 8, 3, PHOTOMETRIC_CIELAB});
      TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientation);
      std::uint8_t white[] = {255, 0, 0}, black[] = {0, 0, 0};
      TIFFWriteScanline(tiff, white, 0, 0);
      TIFFWriteScanline(tiff, black, 1, 0);
    });
    const cv::Mat after = decoded(file).pixels;
    CHECK(int{after.at<cv::Vec4b>(0, 0)[1]} > 240);
    CHECK(int{after.at<cv::Vec4b>(1, 0)[1]} < 15);
  }
}

TEST_CASE("what TIFF readers cannot show is said to be unsupported", "[codecs][tiff]") {
  const auto error = [](int bits, int format) {
    return decode_error(
        row_file({{1, 1}, bits, 1, PHOTOMETRIC_MINISBLACK}, {0, 0, 0, 0},
                 [format](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format); }));
  };
  CHECK(error(32, SAMPLEFORMAT_IEEEFP) == "unsupported: floating-point samples");
  CHECK(error(32, SAMPLEFORMAT_UINT) == "unsupported: 32 bits per sample");
  CHECK(error(16, SAMPLEFORMAT_INT) == "unsupported: signed samples");
}

TEST_CASE("a resolution in centimetres is converted and one without a unit is none",
          "[codecs][tiff]") {
  const auto with_unit = [](int unit) {
    return decoded(row_file({{1, 1}, 8, 1, PHOTOMETRIC_MINISBLACK}, {0},
                            [unit](TIFF* tiff) {
                              TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, unit);
                              TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 100.0);
                              TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 100.0);
                            }))
        .resolution;
  };
  CHECK_FALSE(with_unit(RESUNIT_NONE));
  CHECK(with_unit(RESUNIT_INCH) == Resolution{100, 100});
  CHECK(with_unit(RESUNIT_CENTIMETER) == Resolution{254, 254});
}

TEST_CASE("black and white TIFF is written as CCITT G4 and refuses it for anything else",
          "[codecs][tiff]") {
  codecs::EncodeOptions options;
  options.tiff_compression = codecs::TiffCompression::ccitt_g4;
  Image page;
  page.pixels = strokes({500, 400});
  CHECK(encoded(codecs::tiff_codec, page).size() ==
        encoded(codecs::tiff_codec, page, options).size());
  CHECK_THAT(error_of([&] {
               encoded(codecs::tiff_codec, image({9, 9}, CV_8UC1), options);
             }),
             ContainsSubstring("black and white alone"));
}

TEST_CASE("a cut TIFF says after which row and keeps what it has when that is asked for",
          "[codecs][tiff][damage]") {
  const cv::Mat before = drawing({200, 150}, CV_8UC1);
  const File whole = directory_first(before);
  REQUIRE(largest_difference(decoded(whole).pixels, before) == 0);
  const File file = cut(whole, 0.7);
  const std::string error = decode_error(file);
  CHECK_THAT(error,
             ContainsSubstring("truncated: ends after row ") && ContainsSubstring(" of 150"));
  codecs::DecodeRequest request;
  request.truncated = codecs::Truncated::warn;
  ItemContext context = item();
  const cv::Mat after = decoded(file, request, context).pixels;
  CHECK(context.warnings().size() == 1);
  CHECK(largest_difference(after.rowRange(0, 40), before.rowRange(0, 40)) == 0);
  CHECK(cv::countNonZero(after.row(149)) == 0);
}

TEST_CASE("damage in a TIFF's data is found", "[codecs][tiff][damage]") {
  using enum codecs::TiffCompression;
  for (const auto compression : {lzw, deflate}) {
    codecs::EncodeOptions options;
    options.tiff_compression = compression;
    File file = encoded(codecs::tiff_codec, image({300, 200}, CV_8UC3), options);
    std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(file.size() / 2), 20, std::byte{0xFF});
    CHECK_THAT(decode_error(file), ContainsSubstring("corrupt after row "));
  }
}
