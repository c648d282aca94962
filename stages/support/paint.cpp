// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/paint.hpp"

#include "millrace/gray.hpp"

namespace millrace::inline v1 {

cv::Scalar paint(const Colour& colour, int type) {
  cv::Mat pixel(1, 1, CV_8UC3, cv::Scalar(colour.blue, colour.green, colour.red));
  const double scale = CV_MAT_DEPTH(type) == CV_16U ? 257 : 1;
  if (CV_MAT_CN(type) == 1) return cv::Scalar(to_gray(pixel).at<std::uint8_t>(0, 0)) * scale;
  return cv::Scalar(colour.blue, colour.green, colour.red, 255) * scale;
}

}  // namespace millrace::inline v1
