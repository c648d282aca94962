// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/alpha.hpp"

#include <cstdint>
#include <limits>

namespace millrace::inline v1 {
namespace {

template <class Sample>
bool row_is_opaque(const Sample* row, int pixels) {
  Sample all = std::numeric_limits<Sample>::max();
  for (int x = 0; x < pixels; ++x) all &= row[4 * x + 3];
  return all == std::numeric_limits<Sample>::max();
}

}  // namespace

bool is_opaque(const cv::Mat& pixels) {
  for (int y = 0; y < pixels.rows; ++y) {
    const bool opaque = pixels.depth() == CV_16U
                            ? row_is_opaque(pixels.ptr<std::uint16_t>(y), pixels.cols)
                            : row_is_opaque(pixels.ptr(y), pixels.cols);
    if (!opaque) return false;
  }
  return true;
}

}  // namespace millrace::inline v1
