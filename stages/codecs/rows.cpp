// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/rows.hpp"

#include <bit>
#include <cstring>
#include <opencv2/core.hpp>

namespace millrace::codecs {

namespace {

constexpr std::uint8_t to_eight_bits(std::uint32_t sample) {
  return static_cast<std::uint8_t>((sample * 255 + 32767) / 65535);
}

constexpr std::uint8_t over(std::uint32_t sample, std::uint32_t alpha, std::uint32_t background) {
  return static_cast<std::uint8_t>((sample * alpha + background * (255 - alpha) + 127) / 255);
}

constexpr std::uint8_t over16(std::uint64_t sample, std::uint64_t alpha, std::uint64_t background) {
  const std::uint64_t mixed = sample * alpha + background * 257 * (65535 - alpha);
  return to_eight_bits(static_cast<std::uint32_t>((mixed + 32767) / 65535));
}

}  // namespace

cv::Mat new_pixels(cv::Size size, int channels, int bits) {
  try {
    return cv::Mat(size, CV_MAKETYPE(bits == 16 ? CV_16U : CV_8U, channels));
  } catch (const cv::Exception&) {
    const auto mebibytes =
        std::int64_t{size.width} * size.height * channels * (bits / 8) / (1024 * 1024);
    throw Error(ErrorKind::resource,
                "there is no memory for its pixels (" + std::to_string(mebibytes) + " MiB)");
  }
}

EightBitRows::EightBitRows(const cv::Mat& pixels, bool keep_alpha, Colour background)
    : pixels_(pixels),
      channels_(pixels.channels() == 4 && !keep_alpha ? 3 : pixels.channels()),
      direct_(pixels.depth() == CV_8U && channels_ == pixels.channels()),
      background_(background) {
  if (!direct_) buffer_.resize(static_cast<std::size_t>(pixels.cols) * channels_);
}

const std::uint8_t* EightBitRows::row(int y) {
  if (direct_) return pixels_.ptr<std::uint8_t>(y);
  const std::uint8_t behind[] = {background_.blue, background_.green, background_.red};
  const bool flatten = channels_ != pixels_.channels();
  std::uint8_t* to = buffer_.data();
  if (!flatten) {
    const auto* from = pixels_.ptr<std::uint16_t>(y);
    for (std::size_t i = 0; i < buffer_.size(); ++i) to[i] = to_eight_bits(from[i]);
  } else if (pixels_.depth() == CV_8U) {
    const auto* from = pixels_.ptr<std::uint8_t>(y);
    for (int x = 0; x < pixels_.cols; ++x, from += 4)
      for (int c = 0; c < 3; ++c) *to++ = over(from[c], from[3], behind[c]);
  } else {
    const auto* from = pixels_.ptr<std::uint16_t>(y);
    for (int x = 0; x < pixels_.cols; ++x, from += 4)
      for (int c = 0; c < 3; ++c) *to++ = over16(from[c], from[3], behind[c]);
  }
  return buffer_.data();
}

bool is_bilevel(const cv::Mat& pixels) {
  if (pixels.type() != CV_8UC1) return false;
  for (int y = 0; y < pixels.rows; ++y) {
    const auto* row = pixels.ptr<std::uint8_t>(y);
    bool between = false;  // without a branch per sample, so that the compiler vectorises it
    for (int x = 0; x < pixels.cols; ++x) between |= static_cast<std::uint8_t>(row[x] + 1) > 1;
    if (between) return false;
  }
  return true;
}

void pack_bits(const std::uint8_t* samples, int count, std::uint8_t one, std::uint8_t* bits) {
  int x = 0;
  if constexpr (std::endian::native == std::endian::little)
    for (; x + 8 <= count; x += 8) {
      // Eight samples' highest bits, moved by one product: that of sample i from 8i to 63 - i.
      std::uint64_t eight;
      std::memcpy(&eight, samples + x, 8);
      if (one == 0) eight = ~eight;
      *bits++ =
          static_cast<std::uint8_t>((eight >> 7 & 0x0101010101010101u) * 0x8040201008040201u >> 56);
    }
  for (; x < count; x += 8) {
    unsigned byte = 0;
    for (int i = 0; i < 8 && x + i < count; ++i)
      if (samples[x + i] == one) byte |= 0x80u >> i;
    *bits++ = static_cast<std::uint8_t>(byte);
  }
}

}  // namespace millrace::codecs
