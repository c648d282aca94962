// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace millrace::document {

/// Text that may stand in an XML 1.0 document, between tags and in quotes of either kind: the five
/// markup characters as references, characters that XML cannot hold (section 2.2) left out, bytes
/// that are not UTF-8 as U+FFFD.
std::string xml_escape(std::string_view text);

}  // namespace millrace::document
