// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/mat.hpp>

#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// Turns a picture about its middle, counter-clockwise, by cubic interpolation; corners that come
/// in get `fill`. The canvas keeps its size, or grows to hold every corner. Black and white stays
/// so. Throws Error (input) where a side is longer than `longest_rotated_side`.
cv::Mat rotate(const Context& context, const cv::Mat& pixels, double degrees, bool expand,
               const cv::Scalar& fill);
constexpr int longest_rotated_side = 32766;  ///< OpenCV keeps coordinates in 16 bits.

}  // namespace millrace::inline v1
