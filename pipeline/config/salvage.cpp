// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/salvage.hpp"

#include <algorithm>
#include <string_view>

#include "config/document.hpp"

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

/// An `&name` where a value may begin, be it within quotes.
bool has_anchor(const std::string& line) {
  for (auto at = line.find('&'); at != line.npos; at = line.find('&', at + 1))
    if ((at == 0 || std::string_view(" [{,").find(line[at - 1]) != std::string_view::npos) &&
        at + 1 < line.size() && line[at + 1] != ' ')
      return true;
  return false;
}

bool begins_key(const std::string& line) {
  return !line.empty() && std::string_view(" \t\r#-}]").find(line[0]) == std::string_view::npos;
}

/// "vars" of "vars: {" and of "vars {"; empty for what is no key of a pipeline but `stages`, whose
/// items are taken out one by one.
std::string key_of(const std::string& line) {
  auto key = line.substr(0, line.find_first_of(": "));
  return key != "stages" && std::ranges::count(top_keys(), key) > 0 ? key : std::string();
}

}  // namespace

Salvage::Salvage(const SourceText& source) {
  const int count = static_cast<int>(source.lines());
  for (int i = 1; i <= count; ++i) lines_.emplace_back(source.line(i));
  out_.resize(lines_.size());
  int at = 0;
  while (at < count && !lines_[static_cast<std::size_t>(at)].starts_with("stages:")) ++at;
  for (++at; at < count && says_nothing(lines_[static_cast<std::size_t>(at)]); ++at) continue;
  if (at >= count) return;
  const auto& first = lines_[static_cast<std::size_t>(at)];
  indent_ = indent_of(first);
  if (!is_dash(first, indent_)) return;
  first_ = at + 1;
  // Up to the next key at the top, if there is one.
  for (last_ = first_; last_ < count && !begins_key(line_at(last_ + 1)); ++last_) continue;
}

const std::string& Salvage::line_at(int line) const {
  return lines_[static_cast<std::size_t>(line) - 1];
}

bool Salvage::is_out(int line) const {
  return line > 0 && line <= static_cast<int>(out_.size()) &&
         out_[static_cast<std::size_t>(line) - 1];
}

bool Salvage::begins_item(int line) const {
  return indent_of(line_at(line)) == indent_ && is_dash(line_at(line), indent_);
}

bool Salvage::take_out(int line) {
  if (line < 1 || line > static_cast<int>(lines_.size())) return false;
  return first_ != 0 && line >= first_ && line <= last_ ? take_item(line) : take_key(line);
}

bool Salvage::take_item(int line) {
  if (const auto key = swallowed_key(line_at(line)); !key.empty())
    return replace(line, last_ + 1, key + ": ~");
  int begin = line;
  while (begin > first_ && !begins_item(begin)) --begin;
  int end = begin + 1;
  while (end <= last_ && !begins_item(end)) ++end;
  return replace(begin, end, std::string(indent_, ' ') + "- ~");
}

bool Salvage::take_key(int line) {
  int begin = line;
  while (begin > 1 && !begins_key(line_at(begin))) --begin;
  const auto key = key_of(line_at(begin));
  if (key.empty()) return false;
  int end = begin + 1;
  while (end <= static_cast<int>(lines_.size()) && !begins_key(line_at(end))) ++end;
  return replace(begin, end, key + ": ~");
}

/// "vars" of "  vars:", which is indented by mistake; empty where the key is at the top as well.
/// `name` is one of a test's keys too.
std::string Salvage::swallowed_key(const std::string& line) const {
  const auto begin = std::min(line.find_first_not_of(" \t"), line.size());
  const auto colon = line.find(':', begin);
  if (begin == 0 || colon == line.npos) return {};
  const auto key = line.substr(begin, colon - begin);
  const auto is_there = [&](const std::string& other) { return other.starts_with(key + ":"); };
  const bool is_meant = key != "name" && std::ranges::count(top_keys(), key) > 0;
  return is_meant && std::ranges::none_of(lines_, is_there) ? key : std::string();
}

/// The lines up to, and not with, `end`.
bool Salvage::replace(int begin, int end, const std::string& mark) {
  if (std::ranges::count(marks_, begin) > 0) return false;
  for (int i = begin; i < end; ++i) {
    auto& text = lines_[static_cast<std::size_t>(i) - 1];
    // An alias of what is anchored here would be a mistake that only follows.
    if (has_anchor(text)) return false;
    const auto swallowed = i == begin ? std::string() : swallowed_key(text);
    text = i == begin ? mark : swallowed.empty() ? "" : swallowed + ": ~";
    if (!swallowed.empty()) marks_.push_back(i);
    out_[static_cast<std::size_t>(i) - 1] = true;
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
