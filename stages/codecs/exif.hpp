// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "millrace/image.hpp"

namespace millrace::codecs {

/// What is read of an EXIF block (EXIF 2.32, section 4.6: a TIFF structure).
struct Exif {
  std::optional<int> orientation;  ///< As written, valid or not.
  std::optional<Resolution> resolution;
};

/// Never fails: what cannot be read is not there. A leading "Exif\0\0" is passed over.
Exif read_exif(std::span<const std::byte> block);

/// A block of just these two, from "II" on; the resolution only where there is one.
std::vector<std::byte> make_exif(Orientation orientation, std::optional<Resolution> resolution);

/// The tag's meaning; anything outside 1..8 is upright.
Orientation orientation_of(int tag) noexcept;

/// A warning for a tag outside 0..8 (0 is widely written for "not known"); none where all is well.
std::optional<std::string> complain_of_orientation(std::optional<int> tag);

/// Dots per inch from two positive, finite numbers; none otherwise.
std::optional<Resolution> resolution_of(double x, double y);

/// Dots per inch from whole dots per metre or centimetre, `per_inch` of that unit to the inch: the
/// whole number where it is the one that was rounded to `dots` (11811 per metre is 300, not
/// 299.9994).
double dots_per_inch(double dots, double per_inch);

}  // namespace millrace::codecs
