// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/mat.hpp>

#include "millrace/image.hpp"

namespace millrace::ocr {

/// A picture as the engine wants it: 8-bit gray, upright, dark ink where the paper is light.
/// 16 bits are scaled to 8, alpha is laid over white, colour becomes luminance (ITU-R BT.601, as in
/// JPEG), and the orientation tag is applied. Shares the picture's memory where nothing changes.
cv::Mat gray_upright(const Image& image);

}  // namespace millrace::ocr
