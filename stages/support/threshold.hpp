// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/mat.hpp>

#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// Black and white from an 8-bit gray picture, one threshold for all of it: the one that separates
/// the histogram's two classes best (Otsu 1979, "A threshold selection method from gray-level
/// histograms").
cv::Mat otsu(const cv::Mat& gray);

/// Black and white from an 8-bit gray picture, a threshold per pixel: m (1 + k (s / 128 - 1)),
/// where m and s are the mean and standard deviation in a square of `window` pixels around it
/// (Sauvola & Pietikäinen 2000, "Adaptive document image binarization", equation 5). At the border
/// the square is what lies inside the picture. `window` is at least 1; an even one counts as the
/// next odd, and more than `widest_window` as that.
cv::Mat sauvola(const Context& context, const cv::Mat& gray, int window, double k);
constexpr int widest_window = 32767;  ///< So that sums of squares of a column fit 32 bits.

}  // namespace millrace::inline v1
