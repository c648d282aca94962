// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/rotate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

#include "millrace/error.hpp"
#include "stages/support/alpha.hpp"
#include "stages/support/bands.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::int64_t samples_at_once = 1 << 17;  // about 2 ms

bool is_black_and_white(const cv::Mat& pixels) {
  if (pixels.type() != CV_8UC1) return false;
  for (int y = 0; y < pixels.rows; ++y) {
    const unsigned char* row = pixels.ptr(y);
    if (!std::all_of(row, row + pixels.cols, [](auto v) { return v == 0 || v == 255; }))
      return false;
  }
  return true;
}

cv::Size room_for(cv::Size size, double degrees) {
  const double radians = degrees * std::numbers::pi / 180;
  const double cosine = std::abs(std::cos(radians)), sine = std::abs(std::sin(radians));
  // A tenth of a pixel of a corner is no reason for another row.
  return {static_cast<int>(std::ceil(size.width * cosine + size.height * sine - 0.1)),
          static_cast<int>(std::ceil(size.width * sine + size.height * cosine - 0.1))};
}

}  // namespace

cv::Mat rotate(const Context& context, const cv::Mat& pixels, double degrees, bool expand,
               const cv::Scalar& fill) {
  const cv::Size size = expand ? room_for(pixels.size(), degrees) : pixels.size();
  const int longest = std::max({pixels.cols, pixels.rows, size.width, size.height});
  if (longest > longest_rotated_side)
    throw Error(ErrorKind::input, "a side of " + std::to_string(longest) +
                                      " pixels is too long to be turned; 1.." +
                                      std::to_string(longest_rotated_side) + " is allowed");

  // Pixel centres stand at whole coordinates here.
  const cv::Point2f middle((static_cast<float>(pixels.cols) - 1) / 2,
                           (static_cast<float>(pixels.rows) - 1) / 2);
  cv::Mat turn = cv::getRotationMatrix2D(middle, degrees, 1);
  turn.at<double>(0, 2) += (size.width - pixels.cols) / 2.0;
  turn.at<double>(1, 2) += (size.height - pixels.rows) / 2.0;
  cv::Mat back;  // from the result to the picture
  cv::invertAffineTransform(turn, back);
  const auto warp = [&](const cv::Mat& from, const cv::Scalar& border) {
    cv::Mat to(size, from.type());
    const int rows = rows_of_band(samples_at_once, std::int64_t{size.width} * from.channels());
    for_bands(context, size.height, rows, [&](int first, int last) {
      cv::Mat band = to.rowRange(first, last);
      cv::Mat back_from_band = back.clone();
      for (int axis = 0; axis < 2; ++axis)
        back_from_band.at<double>(axis, 2) += back.at<double>(axis, 1) * first;
      cv::warpAffine(from, band, back_from_band, band.size(),
                     cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_CONSTANT, border);
    });
    return to;
  };

  if (pixels.channels() == 4 && !is_opaque(pixels)) {
    const cv::Mat border(1, 1, pixels.type(), fill);
    return unpremultiplied(warp(premultiplied(pixels), premultiplied(border).at<cv::Vec4f>(0, 0)),
                           pixels.depth());
  }
  cv::Mat to = warp(pixels, fill);
  if (is_black_and_white(pixels)) cv::threshold(to, to, 127, 255, cv::THRESH_BINARY);
  return to;
}

}  // namespace millrace::inline v1
