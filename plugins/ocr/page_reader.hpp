// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "millrace/text.hpp"

namespace tesseract {
class TessBaseAPI;
}

namespace millrace::ocr {

/// The words of the page that `engine` has just recognised, in the order and with the text that its
/// own text output gives, and the pictures and rules between them.
std::vector<Text::Block> read_blocks(tesseract::TessBaseAPI& engine);

}  // namespace millrace::ocr
