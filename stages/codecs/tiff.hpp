// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <tiffio.h>

#include <memory>
#include <string>

#include "stages/codecs/codec.hpp"
#include "stages/codecs/seam.hpp"

namespace millrace::codecs {

/// Where libtiff reports to; installed for one file, so that nothing reaches its global handlers.
struct TiffErrors {
  Remarks remarks;
  std::string text;  ///< Of the last error.

  static int on_error(TIFF*, void* self, const char* module, const char* format, va_list values);
  static int on_warning(TIFF*, void* self, const char* module, const char* format, va_list values);
};

struct TiffCloser {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using Tiff = std::unique_ptr<TIFF, TiffCloser>;

/// A file as libtiff sees it.
struct TiffStream {
  TIFFReadWriteProc read, write;
  TIFFSeekProc seek;
  TIFFSizeProc size;
  TIFFMapFileProc map = nullptr;  ///< May be null.
};

/// Null on failure; `errors` says why. `max_memory` bounds each piece of memory that a file's
/// fields can make the library ask for; 0 is no bound.
Tiff open_tiff(const char* mode, void* file, const TiffStream& stream, TiffErrors& errors,
               std::int64_t max_memory);

std::unique_ptr<Reader> open_tiff_reader(Content file);

}  // namespace millrace::codecs
