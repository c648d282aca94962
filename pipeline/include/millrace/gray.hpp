// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "millrace/context.hpp"
#include "millrace/image.hpp"

namespace millrace::inline v1 {

/// One channel of the same depth: luma, 0.299 R + 0.587 G + 0.114 B of the samples as they are
/// (ITU-R BT.601, as in JFIF, so that a colour JPEG gives what its Y plane holds). What is
/// transparent lies on white. Shares the pixels of a picture that is gray.
/// With a context: on idle CPUs too, and until that ends.
cv::Mat to_gray(const cv::Mat& pixels);
cv::Mat to_gray(const Context& context, const cv::Mat& pixels);

/// The same for a picture. A colour profile that is not one of a gray curve goes: it would not fit.
void make_gray(Image& image);
void make_gray(const Context& context, Image& image);

}  // namespace millrace::inline v1
