// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/quick/yaml_text.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "config/utf8.hpp"
#include "millrace/error.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

/// Whether it is read back as it is, without quotes.
bool is_plain(std::string_view text) {
  if (text.empty() || text == "null" || text == "Null" || text == "NULL") return false;
  if (std::isalnum(static_cast<unsigned char>(text.front())) == 0 && text.front() != '/' &&
      text.front() != '.')
    return false;
  return std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_./-+%").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

}  // namespace

std::string yaml_scalar(const std::string& text) {
  if (is_plain(text)) return text;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string quoted = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const auto character = read_utf8(text, at);
    if (character.size == 0)
      throw Error(ErrorKind::usage,
                  printable(text) +
                      ": a name that is not UTF-8 cannot stand in a pipeline; give "
                      "its folder or a pattern in its place");
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte == 0x7f)
      quoted += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
    else if (byte == 0xc2 && static_cast<unsigned char>(text[at + 1]) < 0xa0)  // U+0080 to U+009F
      quoted += std::string("\\x") + digits[static_cast<unsigned char>(text[at + 1]) >> 4] +
                digits[static_cast<unsigned char>(text[at + 1]) & 15];
    else if (text.compare(at, 3, "\xef\xbb\xbf") == 0)
      quoted += "\\ufeff";
    else if (text.compare(at, 2, "${") == 0)
      quoted += "$$";
    else
      quoted += (byte == '"' || byte == '\\' ? "\\" : "") + text.substr(at, character.size);
    at += character.size;
  }
  return quoted + "\"";
}

void YamlText::line(std::string_view text, std::string from) {
  text_ += std::string(text) + "\n";
  ++lines_;
  if (!from.empty()) origins_[lines_] = std::move(from);
}

void YamlText::setting(std::size_t indent, const std::string& key,
                       const std::vector<std::string>& values, const std::string& from) {
  const std::string margin(indent, ' ');
  if (values.size() == 1) return line(margin + key + ": " + yaml_scalar(values.front()), from);
  line(margin + key + ":", from);
  for (const auto& value : values) line(margin + "  - " + yaml_scalar(value), from);
}

std::string YamlText::origin(int line) const {
  const auto found = origins_.find(line);
  return found == origins_.end() ? std::string() : found->second;
}

}  // namespace millrace::cli
