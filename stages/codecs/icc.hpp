// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stages/codecs/codec.hpp"

namespace millrace::codecs {

using Profile = std::shared_ptr<const std::vector<std::byte>>;

/// The colour space of the samples that a profile describes (ICC.1:2022, 7.2.8).
enum class ProfileSpace { none, gray, rgb, cmyk, other };
ProfileSpace space_of(std::span<const std::byte> profile) noexcept;

/// The profile, where it describes pictures of so many channels; otherwise null, with a warning.
Profile fitting_profile(Profile profile, int channels, ItemContext& context);

/// Gives the picture the colours of sRGB (a gray one sRGB's curve) and takes its profile away. One
/// that cannot be used goes with a warning. The pixels are copied where they are shared.
void make_srgb(Image& image, ItemContext& context);

/// From CMYK to BGR in sRGB, 8 or 16 bits. [any worker, at once]
class CmykConverter {
 public:
  /// `inverted`: samples are 0 for full ink, as Adobe writes them into JPEG. A CMYK profile is used
  /// by relative colorimetric intent with black point compensation; with any other, or a broken
  /// one, red is (1 - cyan) (1 - black) and so on, with a warning where there was one.
  CmykConverter(std::span<const std::byte> profile, int bits, bool inverted, ItemContext& context);

  /// `count` pixels, `from` and `to` not overlapping.
  void convert(const void* from, void* to, int count) const;

 private:
  std::shared_ptr<void> transform_;  // null: by the formula
  int bits_;
  bool inverted_;
};

}  // namespace millrace::codecs
