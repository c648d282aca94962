// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <opencv2/core/mat.hpp>
#include <vector>

#include "millrace/image.hpp"

// Pictures for tests, the same on every machine.
namespace millrace::testing {

Image picture(const cv::Mat& pixels);

/// Every type of pixels that an Image may have.
const std::vector<int>& pixel_types();

cv::Mat noise(cv::Size size, int type, unsigned seed = 1);

/// From dark at the left to light at the right, with a slope down the page too.
cv::Mat gradient(cv::Size size, int type);

/// A gray page of lines of word-like marks, turned clockwise by `degrees` about its middle.
cv::Mat text_page(cv::Size size, double degrees);

/// Smooth blobs of light and dark, without lines.
cv::Mat photo_like(cv::Size size);

/// Largest difference of two pictures of one size and type.
double difference(const cv::Mat& a, const cv::Mat& b);

}  // namespace millrace::testing
