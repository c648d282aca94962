// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/source_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "config/utf8.hpp"

namespace millrace::inline v1 {
namespace {

// Far above any pipeline written by hand or by a program; what follows takes time in proportion.
constexpr std::size_t max_bytes = 1 << 20;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view no_break_space = "\xc2\xa0";  // what web pages indent with

std::string hex_code(const char* format, unsigned value) {
  std::array<char, 16> buffer;
  const int size = std::snprintf(buffer.data(), buffer.size(), format, value);
  return {buffer.data(), static_cast<std::size_t>(size)};
}

bool looks_like_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
         (text.size() > 1 && (text[0] == 0 || text[1] == 0));
}

}  // namespace

SourceText::SourceText(std::string_view raw) {
  if (raw.starts_with(byte_order_mark)) raw.remove_prefix(byte_order_mark.size());
  text_.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i)
    if (raw[i] != '\r' || i + 1 == raw.size() || raw[i + 1] != '\n') text_ += raw[i];
  starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') starts_.push_back(i + 1);
}

std::string_view SourceText::line(int number) const {
  if (number < 1 || static_cast<std::size_t>(number) > starts_.size()) return {};
  const std::size_t start = starts_[static_cast<std::size_t>(number) - 1];
  return std::string_view(text_).substr(start, text_.find('\n', start) - start);
}

Position SourceText::position(std::size_t offset) const {
  const auto after = std::ranges::upper_bound(starts_, std::min(offset, text_.size()));
  const auto line = after - starts_.begin();
  return {static_cast<int>(line),
          static_cast<int>(std::min(offset, text_.size()) - *(after - 1)) + 1};
}

std::size_t SourceText::offset(Position where) const {
  if (where.line < 1 || static_cast<std::size_t>(where.line) > starts_.size()) return text_.size();
  return std::min(starts_[static_cast<std::size_t>(where.line) - 1] +
                      static_cast<std::size_t>(std::max(where.column, 1) - 1),
                  text_.size());
}

std::optional<std::vector<int>> SourceText::check(Diagnostics& diagnostics) const {
  if (text_.size() > max_bytes) {
    diagnostics.error(Code::limit_exceeded, {1, 1}, 1,
                      "the file has " + std::to_string(text_.size()) +
                          " bytes; a pipeline may have " + std::to_string(max_bytes),
                      "is this a pipeline file?");
    return std::nullopt;
  }
  if (!check_characters(diagnostics)) return std::nullopt;
  return check_indentation(diagnostics);
}

bool SourceText::check_characters(Diagnostics& diagnostics) const {
  if (looks_like_utf16(text_)) {
    diagnostics.error(Code::not_utf8, {1, 1}, 1, "the file is not UTF-8: it looks like UTF-16",
                      "save it as UTF-8");
    return false;
  }
  for (std::size_t i = 0; i < text_.size();) {
    const auto [character, size] = read_utf8(text_, i);
    if (size == 0) {
      const auto byte = static_cast<unsigned char>(text_[i]);
      diagnostics.error(Code::not_utf8, position(i), 1,
                        "the byte " + hex_code("0x%02x", byte) + " is not UTF-8",
                        "save the file as UTF-8");
      return false;
    }
    const bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
    if ((control && character != '\n' && character != '\t') || character == 0xfeff) {
      const std::string code = hex_code("U+%04X", static_cast<unsigned>(character));
      diagnostics.error(Code::invisible_character, position(i), static_cast<int>(size),
                        "the character " + code + " cannot be seen and may not stand here",
                        "remove it");
      return false;
    }
    i += size;
  }
  return true;
}

std::vector<int> SourceText::check_indentation(Diagnostics& diagnostics) const {
  std::vector<std::pair<Position, const char*>> found;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    const auto text = line(number);
    const auto content = std::min(text.find_first_not_of(" \t"), text.size());
    const auto tab = std::min(text.find('\t'), text.size());
    if (content == text.size() || text[content] == '#') continue;
    if (tab < content) found.push_back({{number, static_cast<int>(tab) + 1}, "a tab"});
    if (text.substr(content).starts_with(no_break_space))
      found.push_back({{number, static_cast<int>(content) + 1}, "a no-break space"});
  }
  std::vector<int> lines;
  for (const auto& [where, what] : found) lines.push_back(where.line);
  if (found.empty()) return lines;
  const auto more = found.size() - 1;
  diagnostics.error(
      Code::tab_indentation, found[0].first, 1,
      std::string(found[0].second) + " cannot indent a line",
      "use spaces" + (more == 0   ? std::string()
                      : more == 1 ? ", also in one more line"
                                  : ", also in " + std::to_string(more) + " more lines"));
  return lines;
}

}  // namespace millrace::inline v1
