// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <opencv2/core/mat.hpp>

#include "isolate/segment.hpp"

namespace millrace::inline v1 {

/// While it lives, large cv::Mats that this thread makes lie in segments, or do not: so that what a
/// stage makes for one in another process need not be copied there. [one thread]
class SharePixels {
 public:
  explicit SharePixels(bool share) noexcept;
  ~SharePixels();
  SharePixels(const SharePixels&) = delete;
  SharePixels& operator=(const SharePixels&) = delete;

 private:
  const bool before_;
};

/// Makes SharePixels mean something, by taking the place of OpenCV's default allocator, which still
/// does all the rest. For good: pictures remember who made them. [any thread, at once]
void install_shared_pixels();

/// The segment that a picture's pixels lie in; null where they do not.
Loan segment_of(const cv::Mat& pixels);

/// A picture whose rows of `step` bytes begin at `offset` of a segment, which holds them.
cv::Mat pixels_in(Loan segment, std::size_t offset, cv::Size size, int type, std::size_t step);

}  // namespace millrace::inline v1
