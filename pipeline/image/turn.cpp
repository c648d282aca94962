// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/turn.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <opencv2/core.hpp>
#include <utility>

namespace millrace::inline v1 {
namespace {

template <std::size_t bytes>
using Pixel = std::array<unsigned char, bytes>;

/// to(y, x) = from(x, y), counted from the last row or column where `from_bottom` or `from_right`.
/// In squares, so that neither side's cache lines are thrown out half used.
template <std::size_t bytes>
void exchange_axes(const cv::Mat& from, bool from_bottom, bool from_right, cv::Mat& to) {
  using P = Pixel<bytes>;
  constexpr int square = 32;
  const std::ptrdiff_t step = from_bottom ? -static_cast<std::ptrdiff_t>(from.step)
                                          : static_cast<std::ptrdiff_t>(from.step);
  for (int top = 0; top < to.rows; top += square) {
    const int bottom = std::min(top + square, to.rows);
    for (int left = 0; left < to.cols; left += square) {
      const int right = std::min(left + square, to.cols);
      for (int y = top; y < bottom; ++y) {
        P* out = to.ptr<P>(y);
        const unsigned char* in = from.ptr(from_bottom ? from.rows - 1 - left : left) +
                                  bytes * (from_right ? from.cols - 1 - y : y);
        for (int x = left; x < right; ++x, in += step) out[x] = *reinterpret_cast<const P*>(in);
      }
    }
  }
}

cv::Mat exchange_axes(const cv::Mat& from, bool from_bottom, bool from_right) {
  cv::Mat to(from.cols, from.rows, from.type());
  switch (from.elemSize()) {
    case 1:
      exchange_axes<1>(from, from_bottom, from_right, to);
      break;
    case 2:
      exchange_axes<2>(from, from_bottom, from_right, to);
      break;
    case 3:
      exchange_axes<3>(from, from_bottom, from_right, to);
      break;
    case 4:
      exchange_axes<4>(from, from_bottom, from_right, to);
      break;
    case 6:
      exchange_axes<6>(from, from_bottom, from_right, to);
      break;
    default:
      exchange_axes<8>(from, from_bottom, from_right, to);
      break;
  }
  return to;
}

}  // namespace

void turn_upright(cv::Mat& pixels, Orientation orientation) {
  switch (orientation) {
    case Orientation::upright:
      break;
    case Orientation::mirrored:
      cv::flip(pixels, pixels, 1);
      break;
    case Orientation::rotated_180:
      cv::flip(pixels, pixels, -1);
      break;
    case Orientation::flipped:
      cv::flip(pixels, pixels, 0);
      break;
    case Orientation::transposed:
      pixels = exchange_axes(pixels, false, false);
      break;
    case Orientation::rotated_90_clockwise:
      pixels = exchange_axes(pixels, true, false);
      break;
    case Orientation::transversed:
      pixels = exchange_axes(pixels, true, true);
      break;
    case Orientation::rotated_90_counterclockwise:
      pixels = exchange_axes(pixels, false, true);
      break;
  }
}

void turn_upright(Image& image) {
  if (image.orientation == Orientation::upright) return;
  if (swaps_axes(image.orientation)) {
    std::swap(image.full_size.width, image.full_size.height);
    if (image.resolution) std::swap(image.resolution->x, image.resolution->y);
  } else {
    image.own_pixels();
  }
  turn_upright(image.pixels, image.orientation);
  image.orientation = Orientation::upright;
}

}  // namespace millrace::inline v1
