// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stages/codecs/codec.hpp"

namespace millrace::codecs {

/// Where the pages of a TIFF file begin.
struct TiffPages {
  std::vector<std::uint64_t> offsets;  ///< Of each page's directory.
  std::string broken;                  ///< Why the list stops early; empty where it does not.
};

/// Follows the chain of directories (TIFF 6.0, section 2; BigTIFF) without reading them, so that a
/// broken one hides none behind it. Reduced pictures and masks (NewSubfileType bits 0 and 2) are
/// not pages, unless there is nothing else. Never fails.
TiffPages find_tiff_pages(Content file);

}  // namespace millrace::codecs
