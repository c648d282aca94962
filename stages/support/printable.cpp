// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/printable.hpp"

#include <array>
#include <cstdio>

#include "config/utf8.hpp"

namespace millrace::inline v1 {
namespace {

std::string escaped(char32_t value, bool is_byte) {
  if (value == '\n') return "\\n";
  if (value == '\t') return "\\t";
  if (value == '\r') return "\\r";
  std::array<char, 16> buffer;
  const char* const pattern = is_byte || value < 0x80 ? "\\x%02x" : "\\u%04x";
  std::snprintf(buffer.data(), buffer.size(), pattern, static_cast<unsigned>(value));
  return buffer.data();
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = read_utf8(text, at);
    if (character.size == 0) {
      result += escaped(static_cast<unsigned char>(text[at]), true);
      ++at;
      continue;
    }
    if (is_unprintable(character.value))
      result += escaped(character.value, false);
    else
      result += text.substr(at, character.size);
    at += character.size;
  }
  return result;
}

}  // namespace millrace::inline v1
