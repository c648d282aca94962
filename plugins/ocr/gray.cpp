// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "gray.hpp"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace millrace::ocr {
namespace {

cv::Mat to_8_bit(const cv::Mat& pixels) {
  if (pixels.depth() == CV_8U) return pixels;
  cv::Mat eight;
  pixels.convertTo(eight, CV_8U, 1.0 / 257);  // 65535 / 257 = 255
  return eight;
}

cv::Mat luminance(const cv::Mat& pixels) {
  cv::Mat gray;
  switch (pixels.channels()) {
    case 3:
      cv::cvtColor(pixels, gray, cv::COLOR_BGR2GRAY);
      return gray;
    case 4: {
      cv::cvtColor(pixels, gray, cv::COLOR_BGRA2GRAY);
      cv::Mat alpha;
      cv::extractChannel(pixels, alpha, 3);
      // Luminance is linear in the samples, so flattening may come after it:
      // white + (gray - white) * alpha.
      cv::Mat ink;
      cv::bitwise_not(gray, ink);
      cv::multiply(ink, alpha, ink, 1.0 / 255);
      cv::bitwise_not(ink, gray);
      return gray;
    }
    default:
      return pixels;
  }
}

}  // namespace

cv::Mat gray_upright(const Image& image) {
  const cv::Mat gray = luminance(to_8_bit(image.pixels));
  cv::Mat turned;
  switch (image.orientation) {
    case Orientation::upright:
      return gray;
    case Orientation::mirrored:
      cv::flip(gray, turned, 1);
      break;
    case Orientation::rotated_180:
      cv::rotate(gray, turned, cv::ROTATE_180);
      break;
    case Orientation::flipped:
      cv::flip(gray, turned, 0);
      break;
    case Orientation::transposed:
      cv::transpose(gray, turned);
      break;
    case Orientation::rotated_90_clockwise:
      cv::rotate(gray, turned, cv::ROTATE_90_CLOCKWISE);
      break;
    case Orientation::transversed:
      cv::transpose(gray, turned);
      cv::flip(turned, turned, -1);
      break;
    case Orientation::rotated_90_counterclockwise:
      cv::rotate(gray, turned, cv::ROTATE_90_COUNTERCLOCKWISE);
      break;
  }
  return turned;
}

}  // namespace millrace::ocr
