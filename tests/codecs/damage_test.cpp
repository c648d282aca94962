// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <chrono>
#include <random>

#include "codecs/samples.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::samples;

namespace {

/// Small files of every kind that is written.
std::vector<File> every_kind_of_file() {
  Image colour = image({40, 31}, CV_8UC3), deep = image({23, 17}, CV_16UC4), page;
  colour.icc_profile = shared(srgb_profile());
  colour.orientation = Orientation::transposed;
  colour.resolution = Resolution{300, 300};
  page.pixels = strokes({60, 40});
  codecs::EncodeOptions other;
  other.progressive = other.lossless = true;
  other.tiff_compression = codecs::TiffCompression::deflate;
  std::vector<File> files;
  for (const auto* codec : codecs::all())
    for (const Image* picture : {&colour, &deep, &page}) {
      files.push_back(encoded(*codec, *picture));
      files.push_back(encoded(*codec, *picture, other));
    }
  return files;
}

/// Decodes every page; what is thrown must be an Error, and about the file.
void decode_or_refuse(const File& file, codecs::DecodeRequest request) {
  request.max_pixels = 1'000'000;
  try {
    const auto reader = codecs::open(file).reader;
    for (int page = 1; page <= std::min(reader->pages(), 3); ++page) {
      ItemContext context = item();
      const Image image = reader->decode(page, request, context);
      if (image.pixels.empty()) FAIL("an empty picture");
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::internal) FAIL(error.what());
  }
}

}  // namespace

TEST_CASE("changed bytes give a picture or an error, never a crash", "[codecs][damage]") {
  std::mt19937 random(20240501);
  const auto files = every_kind_of_file();
  for (int round = 0; round < 40; ++round)
    for (const File& good : files) {
      File file = good;
      const auto changes = 1 + random() % 8;
      for (unsigned i = 0; i < changes; ++i) {
        // Half of the changes hit the headers, where the fields are.
        const auto reach = i % 2 == 0 ? file.size() : std::min<std::size_t>(file.size(), 200);
        file[random() % reach] = static_cast<std::byte>(random() % 256);
      }
      codecs::DecodeRequest request;
      request.truncated = round % 2 == 0 ? codecs::Truncated::fail : codecs::Truncated::warn;
      if (round % 3 == 0) request.at_least = cv::Size(5, 5);
      request.gray = round % 5 == 0;
      decode_or_refuse(file, request);
    }
}

TEST_CASE("a file cut at any byte gives a picture or an error, never a crash", "[codecs][damage]") {
  codecs::DecodeRequest request;
  for (const File& good : every_kind_of_file()) {
    const std::size_t step = std::max<std::size_t>(good.size() / 60, 1);
    for (std::size_t size = 0; size < good.size(); size += size < 64 ? 1 : step) {
      request.truncated = size % 2 == 0 ? codecs::Truncated::fail : codecs::Truncated::warn;
      decode_or_refuse({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}, request);
    }
  }
}

TEST_CASE("a file cut in half is never taken for whole", "[codecs][damage]") {
  for (const File& good : every_kind_of_file()) {
    const std::string error = decode_error(cut(good, 0.5));
    CHECK_FALSE(error.empty());
  }
}
