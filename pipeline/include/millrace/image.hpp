// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <optional>
#include <string>
#include <vector>

namespace millrace::inline v1 {

/// Dots per inch, as the file states it.
struct Resolution {
  double x = 0;
  double y = 0;
  bool operator==(const Resolution&) const = default;
};

/// EXIF 2.32, tag 0x0112: how the stored rows and columns must be turned to be seen upright.
enum class Orientation {
  upright = 1,
  mirrored = 2,
  rotated_180 = 3,
  flipped = 4,
  transposed = 5,
  rotated_90_clockwise = 6,  ///< Turn the stored picture by 90 degrees clockwise to see it upright.
  transversed = 7,
  rotated_90_counterclockwise = 8,
};

/// True where an upright view exchanges width and height.
constexpr bool swaps_axes(Orientation orientation) noexcept {
  return static_cast<int>(orientation) >= 5;
}

/// A picture in memory, with what its file says about it.
///
/// `pixels`: rows x columns of 8- or 16-bit unsigned samples (CV_8U, CV_16U) with 1 (gray),
/// 3 (BGR) or 4 (BGRA, alpha not premultiplied) channels, full range 0..255 or 0..65535. Never
/// empty. cv::Mat shares its memory between copies: a stage that changes pixels works on an own
/// copy, or in place only after `own_pixels()`.
struct Image {
  cv::Mat pixels;
  /// The size that the picture had in its file, where decode made it smaller on the way in; turned
  /// like `pixels`. Empty: their own size. Percentages and "never enlarge" mean this size. A stage
  /// that turns the picture turns this too; one that gives it another size clears it.
  cv::Size full_size;
  Orientation orientation = Orientation::upright;
  std::optional<Resolution> resolution;
  /// An ICC profile that describes the samples; null means sRGB (or gray with its curve).
  std::shared_ptr<const std::vector<std::byte>> icc_profile;
  /// The codec it was read with ("jpeg", "png", ...), which `encode` keeps unless told otherwise.
  std::string format;

  /// The size that the picture stands for.
  cv::Size nominal_size() const { return full_size.empty() ? pixels.size() : full_size; }

  /// Makes the pixels belong to this picture alone, copying them where they are shared.
  void own_pixels() {
    // Another owner may be giving up its share at this moment.
    if (!pixels.u || std::atomic_ref(pixels.u->refcount).load(std::memory_order_acquire) > 1)
      pixels = pixels.clone();
  }
};

}  // namespace millrace::inline v1
