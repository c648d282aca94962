// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <lcms2.h>

#include <cstddef>
#include <memory>
#include <span>

#include "stages/codecs/icc.hpp"

namespace millrace::codecs {

/// Samples that a profile describes, and what they become in sRGB, by lcms2's formats.
struct Conversion {
  ProfileSpace space;  ///< Of the profile; a gray picture stays gray, with sRGB's curve.
  cmsUInt32Number from, to;
  bool operator==(const Conversion&) const = default;
};

/// For any number of threads at once.
struct ProfileTransform {
  std::shared_ptr<void> handle;  ///< For cmsDoTransform(); null where lcms2 refuses the profile.
  bool changes = true;           ///< False where it is sRGB already, to a step of 8 bits.
};

/// By relative colorimetric intent with black point compensation. Making one takes some 10 ms; the
/// last few are kept, since a folder's pictures share profiles. [any thread, at once]
ProfileTransform transform_to_srgb(const Context& context, std::span<const std::byte> profile,
                                   const Conversion& conversion);

}  // namespace millrace::codecs
