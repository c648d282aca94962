// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "millrace/text.hpp"

namespace millrace::document {

/// One page as hOCR 1.2 (http://kba.github.io/hocr-spec/1.2/), in well-formed XHTML.
std::string hocr(const Text& text);

}  // namespace millrace::document
