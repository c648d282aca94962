// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace millrace::inline v1 {

/// The text as it can be shown on one line of a terminal: control characters, those that change
/// the direction of text, and bytes that are not UTF-8 become `\n`, `\x1b`, `\u202e`.
std::string printable(std::string_view text);

}  // namespace millrace::inline v1
