// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::cli {

/// A JSON string, with its quotes. What is not UTF-8 becomes U+FFFD.
std::string json_text(std::string_view text);

/// An object of JSON (RFC 8259) that is written member by member, on one line.
class JsonObject {
 public:
  JsonObject& text(std::string_view key, std::string_view value);
  /// A name of bytes: where it is not UTF-8, a second member `KEY_hex` has the bytes as they are.
  JsonObject& name(std::string_view key, std::string_view value);
  JsonObject& number(std::string_view key, std::unsigned_integral auto value) {
    return json(key, std::to_string(value));
  }
  JsonObject& number(std::string_view key, int value) { return json(key, std::to_string(value)); }
  JsonObject& number(std::string_view key, double value);  ///< With three decimals.
  JsonObject& truth(std::string_view key, bool value) {
    return json(key, value ? "true" : "false");
  }
  JsonObject& json(std::string_view key, std::string_view value);  ///< As it is.

  std::string done() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

/// A list of what `to_json` makes of each.
template <class Range, class ToJson>
std::string json_list(const Range& range, ToJson to_json) {
  std::string text = "[";
  for (const auto& element : range) text += (text.size() > 1 ? "," : "") + to_json(element);
  return text + "]";
}

}  // namespace millrace::cli
