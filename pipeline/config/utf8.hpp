// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string_view>

namespace millrace::inline v1 {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;  ///< In bytes; 0: what stands there is not UTF-8.
};

/// Reads one character at `at`, which lies inside of the text. Overlong forms, surrogates and
/// values above U+10FFFF are not UTF-8 (RFC 3629, section 4).
CodePoint read_utf8(std::string_view text, std::size_t at);

/// Columns that a terminal uses: 0 for combining marks, 2 for East Asian wide characters and
/// emoji, otherwise 1. The ranges are whole blocks, not the full table of UAX #11.
int display_width(char32_t character);

/// True for what must not reach a terminal as it is: controls, and characters that are not seen or
/// change the direction of the text around them.
bool is_unprintable(char32_t character);

}  // namespace millrace::inline v1
