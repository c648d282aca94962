// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/mat.hpp>

namespace millrace::testing {

/// `pixels` (of any type) resampled to `size` as CV_64F, not clamped and not rounded: each result
/// straight from the two-dimensional sum over the kernel, whose formulas are written out anew here.
cv::Mat resample_reference(const cv::Mat& pixels, cv::Size size);

}  // namespace millrace::testing
