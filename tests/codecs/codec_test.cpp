// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/codec.hpp"

#include "codecs/samples.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::samples;

namespace {

File text(std::string_view content) {
  const auto bytes = std::as_bytes(std::span(content));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("every codec finds its own files by their content", "[codecs]") {
  const Image picture = image({17, 13}, CV_8UC3);
  for (const auto* codec : codecs::all()) {
    const File file = encoded(*codec, picture);
    CHECK(codecs::open(file).codec == codec);
    CHECK(decoded(file).format == codec->name);
  }
}

TEST_CASE("a codec is found by extension in any case", "[codecs]") {
  CHECK(codecs::find_by_extension("JPG") == &codecs::jpeg_codec);
  CHECK(codecs::find_by_extension("jpeg") == &codecs::jpeg_codec);
  CHECK(codecs::find_by_extension("Tif") == &codecs::tiff_codec);
  CHECK(codecs::find_by_extension("") == nullptr);
  CHECK(codecs::find_by_extension("bmp") == nullptr);
}

TEST_CASE("an empty file is said to be empty", "[codecs]") {
  CHECK(decode_error({}) == "is empty (0 bytes)");
}

TEST_CASE("a file that is no picture is called what it looks like", "[codecs]") {
  const std::pair<std::string_view, const char*> cases[] = {
      {"GIF89a....", "like GIF"},
      {"%PDF-1.7\n", "like PDF"},
      {"\n<!DOCTYPE html><html>", "like HTML"},
      {"<?xml version='1.0'?>\n<svg xmlns='x'>", "like SVG"},
      {std::string_view("\0\0\0\x1C"
                        "ftypavif....",
                        16),
       "like AVIF"},
      {std::string_view("\0\0\0\x1C"
                        "ftypheic....",
                        16),
       "like HEIF"},
      {std::string_view("\0\0\0\x0CjP  \r\n", 10), "like JPEG 2000"},
      {"Just a plain note.", "like text"},
      {std::string_view("BM\x36\0\0\0", 6), "like BMP"},
      {"BMW drivers wrote this text", "like text"},
  };
  for (const auto& [content, expected] : cases)
    CHECK_THAT(decode_error(text(content)), ContainsSubstring(expected));
  CHECK_THAT(decode_error(text("<")), ContainsSubstring("JPEG, PNG, WebP, TIFF)"));
}

TEST_CASE("a picture above max_pixels is refused with the limit, the need and the option",
          "[codecs]") {
  codecs::DecodeRequest request;
  request.max_pixels = 99;
  for (const auto* codec : codecs::all()) {
    const std::string error = decode_error(encoded(*codec, image({10, 10}, CV_8UC3)), request);
    CHECK(error ==
          "has 10 x 10 pixels (100 in all), above the limit of 99; option max_pixels raises it");
    CHECK(decode_error(encoded(*codec, image({11, 9}, CV_8UC3)), request).empty());
  }
}

TEST_CASE("a picture too large for its format is refused, naming both", "[codecs]") {
  const Image wide = image({16384, 1}, CV_8UC3);
  CHECK_THAT(error_of([&] { encoded(codecs::webp_codec, wide); }),
             ContainsSubstring("16384 x 1 pixels") && ContainsSubstring("webp") &&
                 ContainsSubstring("16383"));
  CHECK_THAT(error_of([&] {
               encoded(codecs::jpeg_codec, image({1, 65501}, CV_8UC1));
             }),
             ContainsSubstring("65500"));
  CHECK(decoded(encoded(codecs::png_codec, wide)).pixels.cols == 16384);
}

TEST_CASE("a cancelled item is neither decoded nor encoded", "[codecs]") {
  const Image picture = image({64, 64}, CV_8UC3);
  for (const auto* codec : codecs::all()) {
    const File file = encoded(*codec, picture);
    ItemContext context = item();
    context.cancel();
    CHECK_THROWS_AS(decoded(file, {}, context), Error);
    CHECK_THROWS_AS(codecs::encode(*codec, picture, {}, context), Error);
  }
}

TEST_CASE("cancelling in the middle of a progressive JPEG ends its decoding", "[codecs][jpeg]") {
  codecs::EncodeOptions options;
  options.progressive = true;
  const File file = encoded(codecs::jpeg_codec, image({2500, 2500}, CV_8UC3), options);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
  ItemContext context(Context().child(deadline), Origin{});
  try {
    decoded(file, {}, context);
    FAIL("was decoded in a millisecond");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::cancelled);
  }
}
