// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/mat.hpp>

#include "millrace/option.hpp"

namespace millrace::inline v1 {

/// The pixel of a colour in a picture of `type`: its luma in a gray one, opaque where there is
/// alpha.
cv::Scalar paint(const Colour& colour, int type);

}  // namespace millrace::inline v1
