// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/codec.hpp"

#include <algorithm>
#include <cctype>

#include "stages/codecs/foreign.hpp"

namespace millrace::codecs {

namespace {

constexpr const Codec* table[] = {&jpeg_codec, &png_codec, &webp_codec, &tiff_codec};

bool equal_in_any_case(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string pixels(cv::Size size) {
  return std::to_string(size.width) + " x " + std::to_string(size.height) + " pixels";
}

}  // namespace

std::span<const Codec* const> all() noexcept { return table; }

const Codec* find(std::string_view name) noexcept {
  const auto at = std::ranges::find(table, name, &Codec::name);
  return at == std::end(table) ? nullptr : *at;
}

const Codec* find_by_extension(std::string_view extension) noexcept {
  if (extension.empty()) return nullptr;
  for (const Codec* codec : table)
    for (const auto known : codec->extensions)
      if (equal_in_any_case(known, extension)) return codec;
  return nullptr;
}

bool recognised(Content file) noexcept {
  return std::ranges::any_of(table, [file](const Codec* codec) { return codec->recognises(file); });
}

Image Reader::decode(int page, const DecodeRequest& request, ItemContext& context) {
  const Header head = header(page);
  const auto area = std::int64_t{head.size.width} * head.size.height;
  if (area > request.max_pixels)
    throw Error(ErrorKind::input, "has " + pixels(head.size) + " (" + std::to_string(area) +
                                      " in all), above the limit of " +
                                      std::to_string(request.max_pixels) +
                                      "; option max_pixels raises it");
  context.check();
  Image image = read(page, request, context);
  image.orientation = head.orientation;
  image.resolution = head.resolution;
  return image;
}

Opened open(Content file) {
  if (file.empty()) throw Error(ErrorKind::input, "is empty (0 bytes)");
  for (const Codec* codec : table)
    if (codec->recognises(file)) return {codec, codec->open(file)};
  const auto looks_like = foreign_format(file);
  throw Error(ErrorKind::input,
              "is not a picture that Millrace reads (JPEG, PNG, WebP, TIFF)" +
                  (looks_like.empty() ? std::string() : "; it starts like " + looks_like));
}

std::vector<std::byte> encode(const Codec& codec, const Image& image, const EncodeOptions& options,
                              ItemContext& context) {
  const cv::Size size = image.pixels.size();
  if (size.empty()) throw Error(ErrorKind::internal, "a picture without pixels cannot be encoded");
  if (std::max(size.width, size.height) > codec.max_side)
    throw Error(ErrorKind::input, "has " + pixels(size) + ", but a " + std::string(codec.name) +
                                      " file holds at most " + std::to_string(codec.max_side) +
                                      " on a side");
  return codec.encode(image, options, context);
}

}  // namespace millrace::codecs
