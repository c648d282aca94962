// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/samples.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace millrace {
namespace {

Bytes bytes(std::string_view text, const char* extension) {
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  return {std::make_shared<const std::vector<std::byte>>(begin, begin + text.size()), extension};
}

/// From dark to light, each channel a little lighter than the one before.
Image image(cv::Size size, int type) {
  Image image;
  image.pixels.create(size, type);
  const int channels = image.pixels.channels();
  const bool deep = image.pixels.depth() == CV_16U;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width * channels; ++x) {
      const int value = (x * 7 + y * 11) % 256;
      if (deep)
        image.pixels.ptr<std::uint16_t>(y)[x] = static_cast<std::uint16_t>(value * 257);
      else
        image.pixels.ptr<std::uint8_t>(y)[x] = static_cast<std::uint8_t>(value);
    }
  image.resolution = Resolution{300, 300};
  image.format = "png";
  return image;
}

Text text() {
  const cv::Rect box(2, 2, 12, 8);
  Text::Line line;
  line.words = {{"Sample", box, 90}};
  line.box = box;
  Text::Paragraph paragraph;
  paragraph.lines = {line};
  paragraph.box = box;
  Text::Block block;
  block.paragraphs = {paragraph};
  block.box = box;
  Text text;
  text.blocks = {block};
  text.page_size = {16, 12};
  text.language = "eng";
  text.source = "sample.png";
  return text;
}

}  // namespace

std::vector<Payload> samples_of(PayloadKind kind) {
  switch (kind) {
    case PayloadKind::bytes:
      return {bytes("A few words.\n", "txt"), bytes("", "")};
    case PayloadKind::image:
      return {image({48, 32}, CV_8UC3), image({17, 13}, CV_8UC1), image({16, 12}, CV_8UC4),
              image({16, 12}, CV_16UC3), image({1, 1}, CV_16UC1)};
    case PayloadKind::text:
      return {text(), Text{}};
  }
  return {};
}

}  // namespace millrace
