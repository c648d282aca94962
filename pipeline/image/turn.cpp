// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/turn.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <opencv2/core.hpp>
#include <utility>

#include "millrace/parallel.hpp"

namespace millrace::inline v1 {
namespace {

constexpr int square = 32;
constexpr int pixels_at_once = 1 << 19;  // 0.3 ms or more

template <std::size_t bytes>
using Pixel = std::array<unsigned char, bytes>;

/// to(y, x) = from(x, y), counted from the last row or column where `from_bottom` or `from_right`.
/// In squares, so that neither side's cache lines are thrown out half used.
template <std::size_t bytes>
void exchange_axes(const cv::Mat& from, bool from_bottom, bool from_right, int first, int last,
                   cv::Mat& to) {
  using P = Pixel<bytes>;
  const std::ptrdiff_t step = from_bottom ? -static_cast<std::ptrdiff_t>(from.step)
                                          : static_cast<std::ptrdiff_t>(from.step);
  for (int top = first; top < last; top += square) {
    const int bottom = std::min(top + square, last);
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

auto exchange_for(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return exchange_axes<1>;
    case 2:
      return exchange_axes<2>;
    case 3:
      return exchange_axes<3>;
    case 4:
      return exchange_axes<4>;
    case 6:
      return exchange_axes<6>;
    default:
      return exchange_axes<8>;
  }
}

cv::Mat exchange_axes(const Context& context, const cv::Mat& from, bool from_bottom,
                      bool from_right) {
  cv::Mat to(from.cols, from.rows, from.type());
  const auto exchange = exchange_for(from.elemSize());
  const auto squares = static_cast<std::size_t>(pixels_at_once / square / to.cols + 1);
  parallel_for(context, 0, static_cast<std::size_t>(to.rows), squares * square,
               [&](std::size_t first, std::size_t last) {
                 exchange(from, from_bottom, from_right, static_cast<int>(first),
                          static_cast<int>(last), to);
               });
  return to;
}

}  // namespace

void turn_upright(const Context& context, cv::Mat& pixels, Orientation orientation) {
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
      pixels = exchange_axes(context, pixels, false, false);
      break;
    case Orientation::rotated_90_clockwise:
      pixels = exchange_axes(context, pixels, true, false);
      break;
    case Orientation::transversed:
      pixels = exchange_axes(context, pixels, true, true);
      break;
    case Orientation::rotated_90_counterclockwise:
      pixels = exchange_axes(context, pixels, false, true);
      break;
  }
}

void turn_upright(cv::Mat& pixels, Orientation orientation) {
  turn_upright(Context(), pixels, orientation);
}

void turn_upright(Image& image) { turn_upright(Context(), image); }

void turn_upright(const Context& context, Image& image) {
  if (image.orientation == Orientation::upright) return;
  if (swaps_axes(image.orientation)) {
    std::swap(image.full_size.width, image.full_size.height);
    if (image.resolution) std::swap(image.resolution->x, image.resolution->y);
  } else {
    image.own_pixels();
  }
  turn_upright(context, image.pixels, image.orientation);
  image.orientation = Orientation::upright;
}

}  // namespace millrace::inline v1
