// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/head.hpp"

#include <jpeglib.h>
#include <tiffio.h>

#include <cstring>
#include <random>

#include "codecs/samples.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::codecs;
using namespace millrace::samples;

namespace {

File head_of(const File& file) {
  return read_head([&file](std::uint64_t offset, std::span<std::byte> to) -> std::size_t {
    if (offset >= file.size()) return 0;
    const std::size_t count = std::min<std::size_t>(to.size(), file.size() - offset);
    std::memcpy(to.data(), file.data() + offset, count);
    return count;
  });
}

/// What the head says, after a look that the whole file says the same and the pixels are so many.
Need need_of(const File& file, const DecodeRequest& request = {}) {
  const File head = head_of(file);
  const auto by_head = open(head).reader, whole = open(file).reader;
  const Header told = by_head->header(1), header = whole->header(1);
  CHECK(told.size == header.size);
  CHECK(told.channels == header.channels);
  CHECK(told.bits == header.bits);
  CHECK(told.orientation == header.orientation);
  CHECK((by_head->pages() > 1) == (whole->pages() > 1));
  const Need need = by_head->need(1, request);
  const cv::Mat pixels = decoded(file, request).pixels;
  const std::uint64_t size = pixels.total() * pixels.elemSize();
  CHECK(need.pixels >= size);
  CHECK(need.pixels <= size + 16 * static_cast<std::uint64_t>(pixels.cols + pixels.rows));
  return need;
}

File tiff_of(cv::Size size, int type, const std::function<void(TIFF*)>& set = {},
             const char* mode = "w") {
  return tiff_file(
      [&](TIFF* tiff) {
        const int channels = CV_MAT_CN(type);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, size.width);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, size.height);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, CV_MAT_DEPTH(type) == CV_16U ? 16 : 8);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                     channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
        if (set) set(tiff);
        std::vector<std::byte> data(static_cast<std::size_t>(size.area()) * 8);
        if (TIFFIsTiled(tiff) != 0)
          for (std::uint32_t i = 0; i < TIFFNumberOfTiles(tiff); ++i)
            TIFFWriteEncodedTile(tiff, i, data.data(), TIFFTileSize(tiff));
        else
          for (std::uint32_t y = 0; y < static_cast<std::uint32_t>(size.height); ++y)
            TIFFWriteScanline(tiff, data.data(), y, 0);
        TIFFWriteDirectory(tiff);
      },
      mode);
}

}  // namespace

TEST_CASE("the head of a file of ours tells what decoding it takes", "[codecs][memory]") {
  const auto* codec = GENERATE(from_range(all().begin(), all().end()));
  const int type = GENERATE(CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3);
  Image picture = image({301, 203}, type);
  picture.orientation = Orientation::rotated_90_clockwise;
  CAPTURE(codec->name, type);
  need_of(encoded(*codec, picture));
}

TEST_CASE("a TIFF's directory is found wherever it lies", "[codecs][memory][tiff]") {
  const char* mode = GENERATE("wl", "wb", "w8", "wb8");
  const int type = GENERATE(CV_8UC1, CV_8UC3, CV_16UC3);
  const File file = tiff_of({400, 300}, type, {}, mode);
  REQUIRE(file.size() > head_size);
  CHECK(head_of(file).size() < 512);
  CHECK(need_of(file).pixels == static_cast<std::uint64_t>(400 * 300 * CV_ELEM_SIZE(type)));
}

TEST_CASE("a TIFF's blocks count beside its pixels", "[codecs][memory][tiff]") {
  const auto strip = [](int rows) {
    return need_of(tiff_of({1000, 96}, CV_8UC3,
                           [rows](TIFF* tiff) {
                             TIFFSetField(tiff, TIFFTAG_COMPRESSION,
                                          COMPRESSION_LZW);  // else libtiff cuts it
                             TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows);
                           }))
        .beside;
  };
  CHECK(strip(8) == 1000 * 8 * 3);
  CHECK(strip(96) == 1000 * 96 * 3);
  const Need tiled = need_of(tiff_of({1000, 96}, CV_8UC3, [](TIFF* tiff) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 128);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, 32);
  }));
  CHECK(tiled.beside == 8 * 128 * 32 * 3);
}

TEST_CASE("a TIFF of a palette, of bits, of alpha tells what it becomes",
          "[codecs][memory][tiff]") {
  const Need palette = need_of(tiff_of({50, 40}, CV_8UC1, [](TIFF* tiff) {
    std::vector<std::uint16_t> map(256, 77);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_PALETTE);
    TIFFSetField(tiff, TIFFTAG_COLORMAP, map.data(), map.data(), map.data());
  }));
  CHECK(palette.pixels == 50 * 40 * 3);
  Image page;
  page.pixels = strokes({640, 480});
  CHECK(need_of(encoded(tiff_codec, page)).pixels == 640 * 480);
  CHECK(need_of(tiff_of({50, 40}, CV_8UC3, [](TIFF* tiff) {
          TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
        })).pixels == 50 * 40 * 3);
}

TEST_CASE("a TIFF's head is that of its first page, not of a thumbnail", "[codecs][memory][tiff]") {
  const File file = tiff_file([](TIFF* tiff) {
    for (const int width : {20, 90, 60}) {
      TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, width == 20 ? FILETYPE_REDUCEDIMAGE : 0);
      TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
      TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
      TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
      TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      std::byte row[100] = {};
      TIFFWriteScanline(tiff, row, 0, 0);
      TIFFWriteDirectory(tiff);
    }
  });
  CHECK(need_of(file).pixels == 90);
}

TEST_CASE("a JPEG of several scans needs its coefficients beside", "[codecs][memory][jpeg]") {
  EncodeOptions options;
  const auto need = [&](cv::Size at_least) {
    DecodeRequest request;
    request.at_least = at_least;
    return need_of(encoded(jpeg_codec, image({640, 480}, CV_8UC3), options), request);
  };
  const std::uint64_t rows = need({}).beside;
  CHECK(rows < 640 * 480);
  CHECK(need({80, 60}).pixels == 80 * 60 * 3);
  options.progressive = true;
  CHECK(need({}).beside == rows + 640 * 480 * 2 * 3 / 2);
  CHECK(need({80, 60}).beside == rows + 640 * 480 * 2 * 3 / 2);
  options.chroma = Chroma::full;
  CHECK(need({}).beside == rows + 640 * 480 * 2 * 3);
}

TEST_CASE("a JPEG decoded to gray needs a channel", "[codecs][memory][jpeg]") {
  DecodeRequest request;
  request.gray = true;
  CHECK(need_of(encoded(jpeg_codec, image({64, 48}, CV_8UC3)), request).pixels == 64 * 48);
}

TEST_CASE("a lossless or transparent WebP needs its planes beside", "[codecs][memory][webp]") {
  const auto beside = [](int type, bool lossless) {
    EncodeOptions options;
    options.lossless = lossless;
    return need_of(encoded(webp_codec, image({640, 480}, type), options)).beside;
  };
  const std::uint64_t rows = beside(CV_8UC3, false);
  CHECK(beside(CV_8UC3, true) == rows + 640 * 480 * 4);
  CHECK(beside(CV_8UC4, false) == rows + 640 * 480 * 2);
}

TEST_CASE("the head of any file is read without an error", "[codecs][memory][damage]") {
  std::mt19937 random(5);
  const auto* codec = GENERATE(from_range(all().begin(), all().end()));
  const File file = encoded(*codec, image({90, 60}, CV_8UC3));
  for (int round = 0; round < 400; ++round) {
    File damaged = cut(file, round % 2 ? 1 : (random() % 1000) / 1000.0);
    for (int i = 0; i < 4 && !damaged.empty(); ++i)
      damaged[random() % damaged.size()] = static_cast<std::byte>(random());
    const File head = head_of(damaged);
    (void)error_of([&] { (void)open(head).reader->need(1, {}); });  // an Error is well
  }
  CHECK(head_of({}).empty());
}
