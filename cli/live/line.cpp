// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/live/line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "cli/console.hpp"
#include "config/utf8.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

std::string_view code_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::strong:
      return "\x1b[1m";
    case Style::faint:
      return "\x1b[2m";
    case Style::good:
      return "\x1b[36m";
    case Style::bad:
      return "\x1b[31m";
    case Style::marked:
      return "\x1b[33m";
  }
  return "";
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  while (count-- > 0) result += text;
  return result;
}

template <class... Values>
std::string printed(const char* pattern, Values... values) {
  std::array<char, 64> buffer;
  std::snprintf(buffer.data(), buffer.size(), pattern, values...);
  return buffer.data();
}

/// In parts of so many to a column.
std::size_t parts_of(double share, std::size_t columns, std::size_t parts) {
  const double all = static_cast<double>(columns * parts);
  return static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * all + 1e-9);
}

std::size_t rounded(double value) { return static_cast<std::size_t>(std::lround(value)); }

}  // namespace

std::string cut(std::string_view text, std::size_t columns, bool unicode) {
  if (columns_of(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  std::string result;
  std::size_t used = 1;  // the mark
  for (std::size_t at = 0; at < text.size();) {
    const auto size = std::max<std::size_t>(1, read_utf8(text, at).size);
    const auto character = text.substr(at, size);
    if (used + columns_of(character) > columns) break;
    used += columns_of(character);
    result += character;
    at += size;
  }
  return result + (unicode ? "\u2026" : "~");
}

Line& Line::add(std::string_view text, Style style) {
  const auto shown = cut(printable(text), most_ - columns_, screen_.unicode);
  if (shown.empty()) return *this;
  const auto code = screen_.colours ? code_of(style) : "";
  text_ += code;
  text_ += shown;
  if (!code.empty()) text_ += "\x1b[0m";
  columns_ += columns_of(shown);
  return *this;
}

Line& Line::to(std::size_t column) {
  const auto end = std::min(column, most_);
  if (end > columns_) text_ += std::string(end - columns_, ' ');
  columns_ = std::max(columns_, end);
  return *this;
}

Line& Line::right(std::string_view text, std::size_t column, Style style) {
  const auto width = columns_of(printable(text));
  return to(column > width ? column - width : 0).add(text, style);
}

Bar thin_bar(double share, std::size_t columns, bool unicode) {
  if (!unicode) {
    const auto full = parts_of(share, columns, 1);
    return {std::string(full, '='), std::string(columns - full, '-')};
  }
  const auto halves = parts_of(share, columns, 2);
  const auto used = (halves + 1) / 2;
  return {repeated("\u2501", halves / 2) + (halves % 2 ? "\u2578" : ""),
          repeated("\u2500", columns - used)};
}

Bar full_bar(double share, std::size_t columns, bool unicode) {
  if (!unicode) {
    const auto full = parts_of(share, columns, 1);
    return {std::string(full, '#'), std::string(columns - full, '.')};
  }
  constexpr const char* eighths[] = {"",       "\u258f", "\u258e", "\u258d",
                                     "\u258c", "\u258b", "\u258a", "\u2589"};
  const auto parts = parts_of(share, columns, 8);
  const auto used = (parts + 7) / 8;
  return {repeated("\u2588", parts / 8) + eighths[parts % 8], std::string(columns - used, ' ')};
}

std::string rate_text(double per_second) {
  const auto rate = [](double value, const char* unit) {
    return value < 9.95 ? printed("%.1f/%s", value, unit) : printed("%.0f/%s", value, unit);
  };
  if (per_second >= 1) return rate(per_second, "s");
  if (per_second * 60 >= 1) return rate(per_second * 60, "min");
  return rate(per_second * 3600, "h");
}

std::string rough_text(double seconds) {
  if (seconds < 59.5) return printed("%zu s", std::max<std::size_t>(1, rounded(seconds)));
  if (seconds < 595) {
    const auto tens = rounded(seconds / 10);
    return printed("%zu min", tens / 6) + (tens % 6 ? printed(" %zu s", tens % 6 * 10) : "");
  }
  const auto minutes = rounded(seconds / 60);
  if (minutes < 60) return printed("%zu min", minutes);
  if (minutes < 24 * 60) return printed("%zu h %02zu min", minutes / 60, minutes % 60);
  return counted(rounded(seconds / 86400), "day");
}

}  // namespace millrace::cli
