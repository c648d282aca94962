// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "millrace/image.hpp"

namespace millrace::opencv_codecs {

/// What a file says about its picture before any pixel is decoded; imgcodecs does not tell it.
struct PictureHead {
  std::string format;  ///< As in Image::format: "bmp", "jp2", "pnm".
  std::int64_t width = 0;
  std::int64_t height = 0;
  /// The largest sample where it is not 255 or 65535 and imgcodecs leaves the samples as they are.
  std::uint32_t unscaled_maximum = 0;
  std::optional<Resolution> resolution{};
  std::shared_ptr<const std::vector<std::byte>> icc_profile{};
};

/// None where the content is not of a format that is known here. Throws Error (input) for one that
/// is, and is corrupt or of a kind that imgcodecs reads wrongly.
///
/// Sources: the BITMAPFILEHEADER family of Windows GDI; ISO/IEC 15444-1, annexes A and I; the
/// netpbm manual pages pbm(5), pgm(5), ppm(5).
std::optional<PictureHead> read_head(std::span<const std::byte> file);

}  // namespace millrace::opencv_codecs
