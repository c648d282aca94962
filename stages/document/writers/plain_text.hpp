// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "millrace/text.hpp"

namespace millrace::document {

/// UTF-8: a blank between two words, a newline after a line, an empty line between paragraphs; what
/// Tesseract's own text output has, but for the form feed at its end.
std::string plain_text(const Text& text);

}  // namespace millrace::document
