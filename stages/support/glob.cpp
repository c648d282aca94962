// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/glob.hpp"

#include <algorithm>

#include "stages/support/ascii.hpp"

namespace millrace::inline v1 {
namespace {

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const auto slash = path.find('/');
    if (slash != 0) parts.emplace_back(path.substr(0, slash));
    path.remove_prefix(slash == path.npos ? path.size() : slash + 1);
  }
  return parts;
}

/// Where the braces that open at `open` close, and its commas; nothing where they do not close.
struct Braces {
  std::size_t close = 0;
  std::vector<std::size_t> commas;
};
std::optional<Braces> braces_at(std::string_view text, std::size_t open) {
  Braces braces;
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '{') {
      ++depth;
    } else if (text[i] == ',' && depth == 1) {
      braces.commas.push_back(i);
    } else if (text[i] == '}' && --depth == 0) {
      braces.close = i;
      return braces;
    }
  }
  return std::nullopt;
}

/// Every text that the braces stand for.
void expand(const std::string& text, std::vector<std::string>& into) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
      continue;
    }
    const auto braces = text[i] == '{' ? braces_at(text, i) : std::nullopt;
    if (!braces || braces->commas.empty()) continue;
    auto stops = braces->commas;
    stops.push_back(braces->close);
    auto start = i + 1;
    for (const auto stop : stops) {
      // Looked at again as a whole: the choice and the rest may hold braces themselves.
      expand(text.substr(0, i) + text.substr(start, stop - start) + text.substr(braces->close + 1),
             into);
      start = stop + 1;
    }
    return;
  }
  into.push_back(text);
}

/// The length of the character at the front: a whole UTF-8 sequence, or one byte of anything else.
std::size_t character(std::string_view text) noexcept {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (length > text.size()) return 1;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 1;
  return length;
}

/// The length of the bracket expression at the front, 0 where it is not closed.
std::size_t bracket(std::string_view pattern) noexcept {
  std::size_t i = 1;
  if (i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^')) ++i;
  const auto close = pattern.find(']', i + 1);  // a first `]` stands for itself
  return close == pattern.npos ? 0 : close + 1;
}

bool in_bracket(std::string_view expression, char c) noexcept {
  const bool negated = expression[1] == '!' || expression[1] == '^';
  const auto set = expression.substr(negated ? 2 : 1, expression.size() - (negated ? 3 : 2));
  const auto byte = static_cast<unsigned char>(lower(c));
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto low = static_cast<unsigned char>(lower(set[i]));
    const bool is_range = i + 2 < set.size() && set[i + 1] == '-';
    const auto high = is_range ? static_cast<unsigned char>(lower(set[i + 2])) : low;
    found = found || (low <= byte && byte <= high);
    if (is_range) i += 2;
  }
  return found != negated;
}

/// How much of the text one pattern element (not a star) takes, and the element's own length.
struct Step {
  std::size_t pattern = 0;
  std::size_t text = 0;  ///< 0: no match.
};
Step step(std::string_view pattern, std::string_view text) noexcept {
  if (text.empty()) return {};
  if (pattern[0] == '?') return {1, character(text)};
  if (pattern[0] == '[')
    if (const auto length = bracket(pattern); length > 0)
      return {length, in_bracket(pattern.substr(0, length), text[0]) ? 1U : 0U};
  const std::size_t escape = pattern[0] == '\\' && pattern.size() > 1 ? 1 : 0;
  return {escape + 1, lower(pattern[escape]) == lower(text[0]) ? 1U : 0U};
}

/// One part. Going back to the last star is enough: an earlier one cannot match where it fails.
bool part_matches(std::string_view pattern, std::string_view text) noexcept {
  std::string_view after_star, star_text;
  bool star = false;
  while (true) {
    if (!pattern.empty() && pattern[0] == '*') {
      pattern.remove_prefix(1);
      star = true;
      after_star = pattern;
      star_text = text;
      continue;
    }
    if (pattern.empty() && text.empty()) return true;
    const auto taken = pattern.empty() ? Step{} : step(pattern, text);
    if (taken.text > 0) {
      pattern.remove_prefix(taken.pattern);
      text.remove_prefix(taken.text);
    } else {
      if (!star || star_text.empty()) return false;
      star_text.remove_prefix(character(star_text));
      pattern = after_star;
      text = star_text;
    }
  }
}

/// The same, with parts for characters and `**` for the star.
bool parts_match(const std::vector<std::string>& pattern, const std::vector<std::string>& path) {
  std::size_t p = 0, t = 0, after_star = 0, star_text = 0;
  bool star = false;
  while (true) {
    if (p < pattern.size() && pattern[p] == "**") {
      star = true;
      after_star = ++p;
      star_text = t;
    } else if (p == pattern.size() && t == path.size()) {
      return true;
    } else if (p < pattern.size() && t < path.size() && part_matches(pattern[p], path[t])) {
      ++p;
      ++t;
    } else {
      if (!star || star_text == path.size()) return false;
      p = after_star;
      t = ++star_text;
    }
  }
}

}  // namespace

Glob::Glob(std::string_view pattern) {
  std::vector<std::string> texts;
  expand(std::string(pattern), texts);
  for (const auto& text : texts) alternatives_.push_back(split(text));
}

bool Glob::matches(std::string_view path) const {
  const auto parts = split(path);
  return std::ranges::any_of(alternatives_,
                             [&](const auto& pattern) { return parts_match(pattern, parts); });
}

std::optional<std::size_t> Glob::depth() const {
  std::size_t depth = 0;
  for (const auto& parts : alternatives_) {
    if (std::ranges::find(parts, "**") != parts.end()) return std::nullopt;
    depth = std::max(depth, parts.size());
  }
  return depth;
}

bool Glob::is_pattern(std::string_view text) noexcept {
  return text.find_first_of("*?[{") != text.npos;
}

}  // namespace millrace::inline v1
