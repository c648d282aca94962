// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>

#include "millrace/image.hpp"

namespace millrace::inline v1 {

/// How one picture differs from another, pixel by pixel.
struct PictureDifference {
  std::string unlike;  ///< "it is 640x480, expected 800x600": then the rest is not known.
  std::size_t pixels = 0, different = 0;
  double largest = 0;  ///< Of one channel of one pixel, in percent of the full range.
  cv::Point at;        ///< Where that is.
  cv::Mat amplified;  ///< 8-bit gray: black where they are equal, and the brighter the farther off.

  double percent_different() const {
    return pixels == 0 ? 0 : 100.0 * static_cast<double>(different) / static_cast<double>(pixels);
  }
};

/// `tolerance`: by how many percent of the full range a channel may differ. A colour weighs as
/// much as it is opaque.
PictureDifference compare_pictures(const Image& got, const Image& expected, double tolerance);

/// "800x600, colour, 8 bits".
std::string describe(const Image& image);

}  // namespace millrace::inline v1
