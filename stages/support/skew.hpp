// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/mat.hpp>
#include <optional>

#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// The angle in degrees at which a page's text lines run; positive: they sink to the right. None
/// where it is beyond +-max_angle (at most 45) or there is no page of text to see: too small,
/// blank, a photo. `pixels`: any Image's, upright.
///
/// The lower edges of ink are projected at each angle onto the axis across it; where the angle is
/// that of the text, baselines fall into few bins and the sum of the squared counts is largest
/// (Postl 1986, "Detection of linear oblique structures and skew scan in digitized documents";
/// baseline points as in Baird 1987, "The skew angle of printed documents"). A coarse sweep, then a
/// fine one, then the vertex of a parabola, all on a reduced picture made black and white.
std::optional<double> text_skew(const Context& context, const cv::Mat& pixels, double max_angle);

}  // namespace millrace::inline v1
