// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/salvage.hpp"

#include <algorithm>

namespace millrace::inline v1 {
namespace {

std::size_t indent_of(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// Blank, or only a comment.
bool says_nothing(const std::string& line) {
  const auto indent = indent_of(line);
  return indent == line.size() || line[indent] == '#';
}

bool is_dash(const std::string& line, std::size_t indent) {
  return line.size() > indent && line[indent] == '-' &&
         (line.size() == indent + 1 || line[indent + 1] == ' ');
}

}  // namespace

Salvage::Salvage(const SourceText& source) {
  const int count = static_cast<int>(source.lines());
  for (int i = 1; i <= count; ++i) lines_.emplace_back(source.line(i));
  int at = 0;
  while (at < count && !lines_[static_cast<std::size_t>(at)].starts_with("stages:")) ++at;
  for (++at; at < count && says_nothing(lines_[static_cast<std::size_t>(at)]); ++at) continue;
  if (at >= count) return;
  const auto& first = lines_[static_cast<std::size_t>(at)];
  indent_ = indent_of(first);
  if (!is_dash(first, indent_)) return;
  first_ = at + 1;
  // Up to the next key at the top, if there is one.
  for (last_ = first_; last_ < count; ++last_) {
    const auto& next = lines_[static_cast<std::size_t>(last_)];
    if (!next.empty() && std::string_view(" \t#-}]").find(next[0]) == std::string_view::npos) break;
  }
}

bool Salvage::begins_item(int line) const {
  const auto& text = lines_[static_cast<std::size_t>(line) - 1];
  return indent_of(text) == indent_ && is_dash(text, indent_);
}

bool Salvage::take_out(int line) {
  if (first_ == 0 || line < first_ || line > last_) return false;
  int begin = line;
  while (begin > first_ && !begins_item(begin)) --begin;
  if (std::ranges::count(marks_, begin) > 0) return false;
  int end = begin + 1;
  while (end <= last_ && !begins_item(end)) ++end;
  for (int i = begin; i < end; ++i) {
    auto& text = lines_[static_cast<std::size_t>(i) - 1];
    // An alias of what is anchored here would be a mistake that only follows.
    if (text.find('&') != text.npos) return false;
    text = i == begin ? std::string(indent_, ' ') + "- ~" : "";
  }
  marks_.push_back(begin);
  return true;
}

std::string Salvage::text() const {
  std::string text;
  for (std::size_t i = 0; i < lines_.size(); ++i) text += (i > 0 ? "\n" : "") + lines_[i];
  return text;
}

}  // namespace millrace::inline v1
