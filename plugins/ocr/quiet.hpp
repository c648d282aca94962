// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace millrace::ocr {

/// Keeps Tesseract and Leptonica from writing to standard error, once for the process. Call it
/// before the first engine starts: what it sets is global and unguarded. [any thread, at once]
void quiet();

}  // namespace millrace::ocr
