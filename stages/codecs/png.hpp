// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <png.h>

#include <memory>
#include <string>

#include "stages/codecs/codec.hpp"
#include "stages/codecs/seam.hpp"

namespace millrace::codecs {

inline constexpr double metres_per_inch = 0.0254;

/// Where libpng reports to: errors leave by `escape`, warnings are gathered.
struct PngErrors {
  Escape escape;
  Remarks remarks;
  std::string text;  ///< Of the error.

  static void on_error(png_structp png, png_const_charp message) {
    auto& self = *static_cast<PngErrors*>(png_get_error_ptr(png));
    try {
      self.text = message;
    } catch (...) {  // no memory for the text: the error stays one without
    }
    self.escape.leave();
  }
  static void on_warning(png_structp png, png_const_charp message) {
    static_cast<PngErrors*>(png_get_error_ptr(png))->remarks.add(message);
  }
};

std::unique_ptr<Reader> open_png(Content file);

}  // namespace millrace::codecs
