// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/tiff_pages.hpp"

#include <tiffio.h>

#include "codecs/samples.hpp"
#include "stages/codecs/endian.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::codecs;
using namespace millrace::samples;

namespace {

/// A page for each gray value; `kinds` are their NewSubfileType.
File pages_of(std::vector<int> grays, std::vector<int> kinds = {}, const char* mode = "w") {
  kinds.resize(grays.size());
  return tiff_file(
      [&](TIFF* tiff) {
        for (std::size_t i = 0; i < grays.size(); ++i) {
          TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, kinds[i]);
          TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 1);
          TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
          TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
          TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
          TIFFWriteScanline(tiff, &grays[i], 0, 0);
          TIFFWriteDirectory(tiff);
        }
      },
      mode);
}

std::vector<int> grays_of(const File& file) {
  std::vector<int> grays;
  const auto reader = open(file).reader;
  for (int page = 1; page <= reader->pages(); ++page) {
    ItemContext context = item();
    grays.push_back(reader->decode(page, {}, context).pixels.at<std::uint8_t>(0, 0));
  }
  return grays;
}

/// Where the offset of the directory after the first stands (files of "wl").
std::size_t link_of_first(const File& file) {
  const EndianReader in(file, ByteOrder::little);
  const auto first = *in.u32(4);
  return first + 2 + std::size_t{12} * *in.u16(first);
}

void put_u32(File& file, std::size_t at, std::uint64_t value) {
  for (int i = 0; i < 4; ++i) file[at++] = static_cast<std::byte>(value >> (8 * i));
}

}  // namespace

TEST_CASE("the pages of a TIFF come in order, in every variant of the format",
          "[codecs][tiff][pages]") {
  for (const char* mode : {"wl", "wb", "wl8", "wb8"})
    CHECK(grays_of(pages_of({10, 20, 30}, {}, mode)) == std::vector{10, 20, 30});
}

TEST_CASE("pages can be read in any order and again", "[codecs][tiff][pages]") {
  const File file = pages_of({10, 20, 30});
  const auto reader = open(file).reader;
  for (const int page : {3, 1, 2, 2, 3}) {
    ItemContext context = item();
    CHECK(reader->decode(page, {}, context).pixels.at<std::uint8_t>(0, 0) == 10 * page);
  }
}

TEST_CASE("reduced pictures and masks are not pages, unless there is nothing else",
          "[codecs][tiff][pages]") {
  CHECK(grays_of(pages_of({10, 20, 30, 40}, {0, FILETYPE_REDUCEDIMAGE, FILETYPE_MASK,
                                             FILETYPE_PAGE})) == std::vector{10, 40});
  CHECK(grays_of(pages_of({10}, {FILETYPE_REDUCEDIMAGE})) == std::vector{10});
}

TEST_CASE("a list of pages that leads out of the file ends in a page that fails",
          "[codecs][tiff][pages]") {
  File file = pages_of({10, 20, 30}, {}, "wl");
  put_u32(file, link_of_first(file), file.size() + 100);
  const auto reader = open(file).reader;
  REQUIRE(reader->pages() == 2);
  CHECK(reader->header(1).size == cv::Size(1, 1));
  CHECK_THAT(error_of([&] { reader->header(2); }),
             ContainsSubstring("truncated: a page's directory lies at byte"));
}

TEST_CASE("a list of pages that runs in a circle ends", "[codecs][tiff][pages]") {
  File file = pages_of({10, 20}, {}, "wl");
  put_u32(file, link_of_first(file), *EndianReader(file, ByteOrder::little).u32(4));
  const TiffPages pages = find_tiff_pages(file);
  CHECK(pages.offsets.size() == 1);
  CHECK_THAT(pages.broken, ContainsSubstring("circle"));
}

TEST_CASE("a TIFF that is cut in front of its first directory is truncated",
          "[codecs][tiff][pages]") {
  const File file = encoded(tiff_codec, image({50, 50}, CV_8UC1));
  for (const double part : {0.05, 0.5, 0.9})
    CHECK_THAT(decode_error(cut(file, part)),
               ContainsSubstring("truncated: a page's directory lies at byte"));
  CHECK_THAT(decode_error(File(file.begin(), file.begin() + 6)),
             ContainsSubstring("truncated: ends within its header"));
}
