// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/json.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include "config/utf8.hpp"

namespace millrace::cli {
namespace {

std::string escaped(unsigned char character) {
  switch (character) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
  }
  if (character >= 0x20 && character != 0x7f) return {static_cast<char>(character)};
  std::array<char, 8> buffer;
  std::snprintf(buffer.data(), buffer.size(), "\\u%04x", unsigned{character});
  return buffer.data();
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto size = read_utf8(text, at).size;
    if (size == 0) return false;
    at += size;
  }
  return true;
}

std::string hex(std::string_view bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace

std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const auto size = read_utf8(text, at).size;
    if (size == 0)
      result += "\xef\xbf\xbd";
    else if (size == 1)
      result += escaped(static_cast<unsigned char>(text[at]));
    else
      result += text.substr(at, size);
    at += size == 0 ? 1 : size;
  }
  return result + "\"";
}

JsonObject& JsonObject::text(std::string_view key, std::string_view value) {
  return json(key, json_text(value));
}

JsonObject& JsonObject::name(std::string_view key, std::string_view value) {
  text(key, value);
  return is_utf8(value) ? *this : text(std::string(key) + "_hex", hex(value));
}

JsonObject& JsonObject::number(std::string_view key, double value) {
  if (!std::isfinite(value)) return json(key, "null");
  std::array<char, 64> buffer;
  std::snprintf(buffer.data(), buffer.size(), "%.3f", value);
  return json(key, buffer.data());
}

JsonObject& JsonObject::json(std::string_view key, std::string_view value) {
  if (text_.size() > 1) text_ += ",";
  text_ += json_text(key) + ":";
  text_ += value;
  return *this;
}

}  // namespace millrace::cli
