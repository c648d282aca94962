// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/mat.hpp>

namespace millrace::inline v1 {

/// True where every pixel of a four-channel picture of 8 or 16 bits has full alpha.
bool is_opaque(const cv::Mat& pixels);

/// Colours times alpha, as floats from 0 to 1, and back again. What has no alpha has no colour.
cv::Mat premultiplied(const cv::Mat& pixels);
cv::Mat unpremultiplied(cv::Mat floats, int depth);  ///< Overwrites `floats`.

}  // namespace millrace::inline v1
