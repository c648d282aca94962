// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/mat.hpp>

namespace millrace::inline v1 {

/// True where every pixel of a four-channel picture of 8 or 16 bits has full alpha.
bool is_opaque(const cv::Mat& pixels);

}  // namespace millrace::inline v1
