// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "stages/codecs/icc.hpp"

namespace millrace::codecs {

/// What the samples of a TIFF page mean.
enum class TiffColour { gray, inverted_gray, palette, rgb, cmyk };
enum class TiffAlpha { none, associated, unassociated };

struct TiffSamples {
  TiffColour colour = TiffColour::gray;
  TiffAlpha alpha = TiffAlpha::none;
  int alpha_index = 0;  ///< Which sample of a pixel it is.
  int per_pixel = 1;    ///< With those that have no meaning here.
  int bits = 8;         ///< 1..16 of each, packed from the highest bit.

  int picture_bits() const { return bits > 8 ? 16 : 8; }
  int picture_channels() const;
};

/// Turns a page's rows of packed samples into a picture's rows: 1 to 7 bits become 8, 9 to 15
/// become 16, over the full range.
class TiffRows {
 public:
  /// `palette`: red, green, blue of each index; for palette pictures only.
  /// `cmyk`: for CMYK pictures only.
  TiffRows(const TiffSamples& samples, int width, std::vector<std::array<std::uint8_t, 3>> palette,
           std::optional<CmykConverter> cmyk);

  /// Takes `count` pixels from `x` on: those of one sample (`plane`), or of all of them, side by
  /// side.
  void put(const std::uint8_t* packed, int x, int count, std::optional<int> plane);
  /// The row that was put, as the picture wants it.
  void take(std::uint8_t* to);

 private:
  template <class T>
  void assemble(const T* from, T* to) const;
  void look_up(const std::uint8_t* from, std::uint8_t* to) const;

  TiffSamples samples_;
  int width_;
  std::vector<std::array<std::uint8_t, 3>> palette_;
  std::optional<CmykConverter> cmyk_;
  std::vector<std::uint8_t> narrow_;  // unpacked samples of up to 8 bits
  std::vector<std::uint16_t> wide_;   // of more
};

}  // namespace millrace::codecs
