// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <jpeglib.h>

#include <cstddef>
#include <cstdio>  // jpeglib.h needs it and does not include it
#include <memory>
#include <string>

#include "stages/codecs/codec.hpp"
#include "stages/codecs/seam.hpp"

namespace millrace::codecs {

/// Where libjpeg reports to: fatal errors leave by `escape`, warnings are gathered.
struct JpegErrors : jpeg_error_mgr {
  Escape escape;
  Remarks remarks;
  char text[JMSG_LENGTH_MAX] = "";  ///< Of the fatal error.
  void (*warning)(j_common_ptr) = remark;

  jpeg_error_mgr* install() {
    jpeg_std_error(this);
    error_exit = [](j_common_ptr common) {
      auto& self = of(common);
      self.format_message(common, self.text);
      self.escape.leave();
    };
    emit_message = [](j_common_ptr common, int level) {
      if (level < 0) of(common).warning(common);  // others are traces
    };
    output_message = [](j_common_ptr) {};
    return this;
  }

  static JpegErrors& of(j_common_ptr common) { return *static_cast<JpegErrors*>(common->err); }

  static void remark(j_common_ptr common) {
    char message[JMSG_LENGTH_MAX];
    of(common).format_message(common, message);
    of(common).remarks.add(message);
  }
};

std::unique_ptr<Reader> open_jpeg(Content file);

}  // namespace millrace::codecs
