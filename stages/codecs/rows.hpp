// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "stages/codecs/codec.hpp"

namespace millrace::codecs {

/// How often the context is asked, in rows.
inline constexpr int rows_between_checks = 64;

/// A picture in memory that is not set to anything. Throws Error (resource).
cv::Mat new_pixels(cv::Size size, int channels, int bits);

/// Row by row, a picture as 8-bit gray, BGR or BGRA: 16-bit samples are scaled (v x 255 / 65535,
/// rounded), and, where alpha is not `keep_alpha`, it is flattened onto a background.
class EightBitRows {
 public:
  EightBitRows(const cv::Mat& pixels, bool keep_alpha, Colour background);

  int channels() const noexcept { return channels_; }
  /// True where row() hands out the picture's own memory.
  bool direct() const noexcept { return direct_; }
  /// Valid until the next call.
  const std::uint8_t* row(int y);

 private:
  const cv::Mat& pixels_;
  int channels_;
  bool direct_;
  Colour background_;
  std::vector<std::uint8_t> buffer_;
};

/// True where an 8-bit gray picture has no sample but 0 and 255.
bool is_bilevel(const cv::Mat& pixels);

/// Packs samples of 0 and 255 into bits, the first in the highest; `one` is the sample that sets.
void pack_bits(const std::uint8_t* samples, int count, std::uint8_t one, std::uint8_t* bits);

}  // namespace millrace::codecs
