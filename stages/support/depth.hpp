// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/mat.hpp>

namespace millrace::inline v1 {

/// 0..65535 to 0..255, rounded; shares the pixels of a picture that has 8 bits.
inline cv::Mat to_8_bits(const cv::Mat& pixels) {
  if (pixels.depth() == CV_8U) return pixels;
  cv::Mat to;
  pixels.convertTo(to, CV_8U, 1.0 / 257);
  return to;
}

}  // namespace millrace::inline v1
