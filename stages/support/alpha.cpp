// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/alpha.hpp"

#include <algorithm>
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

cv::Mat premultiplied(const cv::Mat& pixels) {
  cv::Mat floats;
  pixels.convertTo(floats, CV_32F, pixels.depth() == CV_16U ? 1.0 / 65535 : 1.0 / 255);
  for (int y = 0; y < floats.rows; ++y)
    for (auto *pixel = floats.ptr<cv::Vec4f>(y), *end = pixel + floats.cols; pixel != end; ++pixel)
      for (int c = 0; c < 3; ++c) (*pixel)[c] *= (*pixel)[3];
  return floats;
}

cv::Mat unpremultiplied(cv::Mat floats, int depth) {
  const float most = depth == CV_16U ? 65535 : 255;
  for (int y = 0; y < floats.rows; ++y)
    for (auto *pixel = floats.ptr<cv::Vec4f>(y), *end = pixel + floats.cols; pixel != end;
         ++pixel) {
      const float alpha = std::min((*pixel)[3], 1.0F);
      for (int c = 0; c < 3; ++c) (*pixel)[c] = alpha * most < 0.5F ? 0 : (*pixel)[c] / alpha;
    }
  cv::Mat to;
  floats.convertTo(to, depth, most);
  return to;
}

}  // namespace millrace::inline v1
