// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <tiffio.h>

#include "stages/codecs/codec.hpp"
#include "stages/codecs/tiff_rows.hpp"

namespace millrace::codecs {

/// How a page's samples lie in the file: blocks are strips or tiles.
struct TiffLayout {
  Header header;
  TiffSamples samples;
  bool by_library = false;  ///< A colour space that libtiff converts, through its RGBA interface.
  bool planes = false;      ///< Each sample in blocks of its own.
  bool tiled = false;
  int block_width = 0, block_height = 0;
  std::uint16_t orientation = ORIENTATION_TOPLEFT;  ///< As written.

  int plane_count() const { return planes ? samples.per_pixel : 1; }
  int across() const { return (header.size.width - 1) / block_width + 1; }
};

/// Of the directory that is read. Throws Error (input) for what is not decoded.
TiffLayout read_tiff_layout(TIFF* tiff);

}  // namespace millrace::codecs
