// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "quiet.hpp"

#include <leptonica/allheaders.h>
#include <tesseract/baseapi.h>

#include <mutex>

namespace millrace::ocr {

void quiet() {
  static std::once_flag once;
  std::call_once(once, [] {
    setMsgSeverity(L_SEVERITY_NONE);
    tesseract::TessBaseAPI engine;
    engine.SetVariable("debug_file", "/dev/null");
    // The file is opened at the first message, without a lock: bring one about now (there is no
    // picture to recognise).
    engine.Recognize(nullptr);
  });
}

}  // namespace millrace::ocr
