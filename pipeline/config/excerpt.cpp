// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/excerpt.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "config/utf8.hpp"

namespace millrace::inline v1 {
namespace {

constexpr int max_columns = 100;
constexpr std::size_t max_mended = 400;  // bytes of a line that is shown as it should be

/// One character of a line as a terminal may see it.
struct Cell {
  std::string text;
  int width = 1;
  std::size_t size = 1;  // in bytes of the line
};

bool is_utf8_inside(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

Cell cell_at(std::string_view line, std::size_t at) {
  const auto [character, size] = read_utf8(line, at);
  if (size != 0 && !is_unprintable(character))
    return {std::string(line.substr(at, size)), display_width(character), size};
  if (character == '\t') return {"\\t", 2, 1};
  std::array<char, 16> buffer;
  const auto byte = static_cast<unsigned char>(line[at]);
  const int length =
      size > 1
          ? std::snprintf(buffer.data(), buffer.size(), "\\u{%x}", static_cast<unsigned>(character))
          : std::snprintf(buffer.data(), buffer.size(), "\\x%02x", static_cast<unsigned>(byte));
  return {std::string(buffer.data(), static_cast<std::size_t>(length)), length,
          std::max<std::size_t>(size, 1)};
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Cell cell = cell_at(text, at);
    result += cell.text;
    at += cell.size;
  }
  return result;
}

/// The lines as SourceText has them, found once: a file may have thousands of mistakes.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
    starts_.push_back(0);
    for (auto end = text_.find('\n'); end != text_.npos; end = text_.find('\n', end + 1))
      starts_.push_back(end + 1);
  }

  std::optional<std::string_view> at(int number) const {
    if (number < 1 || static_cast<std::size_t>(number) > starts_.size()) return std::nullopt;
    const auto rest = text_.substr(starts_[static_cast<std::size_t>(number) - 1]);
    const auto end = rest.find('\n');
    auto line = rest.substr(0, end);
    if (end != rest.npos && line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

/// Puts a terminal's escapes around a text, or none.
struct Paint {
  const char* begin;  // "" for none
  std::string operator()(const std::string& text) const {
    return *begin == '\0' ? text : begin + text + "\x1b[0m";
  }
};

/// What of a line can be shown around the mark, with more on both sides than there is room for; a
/// line may be the whole file.
std::string_view around(std::string_view line, std::size_t& mark, std::size_t& mark_end) {
  constexpr std::size_t room = 10 * max_columns;  // in bytes
  auto begin = mark > room ? mark - room : 0;
  while (begin > 0 && begin < line.size() && is_utf8_inside(line[begin])) --begin;
  mark -= begin;
  mark_end -= begin;
  return line.substr(std::min(begin, line.size()), 2 * room);
}

/// The line around the marked bytes, and a second line with the caret below them.
std::string excerpt(std::string_view line, std::size_t mark, std::size_t mark_end,
                    const Paint& paint) {
  mark = std::min(mark, line.size());
  line = around(line, mark, mark_end);
  std::vector<Cell> cells;
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < line.size(); at += cells.back().size) {
    starts.push_back(at);
    cells.push_back(cell_at(line, at));
  }
  std::size_t first = 0;  // the marked cell; cells.size() for the end of the line
  while (first < cells.size() && starts[first] + cells[first].size <= mark) ++first;

  int width = 0;
  for (const Cell& cell : cells) width += cell.width;
  std::size_t begin = 0;
  if (width > max_columns) {
    int before = 0;
    for (begin = first; begin > 0 && before < max_columns / 2; --begin)
      before += cells[begin - 1].width;
  }
  std::string text = begin > 0 ? "..." : "";
  std::string caret(text.size(), ' ');
  int used = 0;
  std::size_t i = begin;
  for (; i < cells.size() && used < max_columns; ++i) {
    const auto columns = static_cast<std::size_t>(cells[i].width);
    text += cells[i].text;
    used += cells[i].width;
    if (i < first)
      caret.append(columns, ' ');
    else if (i == first)
      caret += '^' + std::string(columns > 0 ? columns - 1 : 0, '~');
    else if (starts[i] < mark_end)
      caret.append(columns, '~');
  }
  if (first >= cells.size()) caret += '^';
  if (i < cells.size()) text += "...";
  const auto begins = caret.find('^');
  return "    " + text + "\n    " + caret.substr(0, begins) + paint(caret.substr(begins)) + "\n";
}

/// The fixes of a file by their line, found once.
class Fixes {
 public:
  explicit Fixes(const std::vector<Diagnostic>& diagnostics) {
    for (const auto& diagnostic : diagnostics)
      if (diagnostic.fix) by_line_[diagnostic.fix->where.line].push_back(&*diagnostic.fix);
  }

  /// That one and those of its line that do not touch it, from right to left: the mended line has
  /// them all, so that pasting one does not take back another.
  std::vector<const Fix*> beside(const Fix& fix) const {
    std::vector<const Fix*> chosen{&fix};
    const auto others = by_line_.find(fix.where.line);
    if (others != by_line_.end())
      for (const Fix* other : others->second)
        if (std::ranges::none_of(chosen, [&](const Fix* one) { return touch(*one, *other); }))
          chosen.push_back(other);
    std::ranges::sort(chosen, std::greater(), [](const Fix* one) { return one->where.column; });
    return chosen;
  }

 private:
  static bool touch(const Fix& a, const Fix& b) {
    return a.where.column <= b.where.column + b.length &&
           b.where.column <= a.where.column + a.length;
  }

  std::map<int, std::vector<const Fix*>> by_line_;
};

std::string applied(const Fix& fix, const std::string& line) {
  const auto begin =
      std::min(static_cast<std::size_t>(std::max(fix.where.column, 1) - 1), line.size());
  const auto end = std::min(begin + static_cast<std::size_t>(std::max(fix.length, 0)), line.size());
  return line.substr(0, begin) + fix.text + line.substr(end);
}

/// The lines in which the fix is, as it would make them, without the indentation of the first.
std::string mended(const Fix& fix, const Fixes& fixes, const Lines& source) {
  std::string text(source.at(fix.where.line).value_or(""));
  if (text.size() > max_mended) return {};
  for (const Fix* one : fixes.beside(fix)) text = applied(*one, text);
  const auto indent = std::min(text.find_first_not_of(" \t"), text.size());
  std::string result;
  for (std::size_t at = 0; at <= text.size();) {
    const auto next = text.substr(at, text.find('\n', at) - at);
    const auto blanks = std::min(next.find_first_not_of(" \t"), next.size());
    if (next.size() - std::min(indent, blanks) > max_mended / 2) return {};
    result += (result.empty() ? "  fix: " : "       ") +
              printable(next.substr(std::min(indent, blanks))) + "\n";
    at += next.size() + 1;
  }
  return result;
}

std::string told(const Diagnostic& diagnostic, const Fixes& fixes, const Lines& text, bool colour) {
  const bool is_error = diagnostic.severity == Diagnostic::Severity::error;
  const Paint bold{colour ? "\x1b[1m" : ""};
  const Paint loud{!colour ? "" : is_error ? "\x1b[1;31m" : "\x1b[1;35m"};
  const Paint green{colour ? "\x1b[32m" : ""};
  std::string place = printable(diagnostic.file) + ":";
  const auto [line, column] = diagnostic.where;
  if (line > 0) place += std::to_string(line) + ":" + std::to_string(column) + ":";
  std::string result = bold(place) + " " + loud(is_error ? "error:" : "warning:") + " " +
                       printable(diagnostic.message);
  if (!diagnostic.code.empty()) result += " [" + diagnostic.code + "]";
  result += "\n";
  if (const auto written = text.at(line)) {
    const auto mark = static_cast<std::size_t>(std::max(column, 1) - 1);
    const auto length = static_cast<std::size_t>(std::max(diagnostic.length, 1));
    result += excerpt(*written, mark, mark + length, green);
  }
  if (!diagnostic.path.empty()) result += "  at: " + printable(diagnostic.path) + "\n";
  if (!diagnostic.hint.empty()) result += "  hint: " + printable(diagnostic.hint) + "\n";
  if (diagnostic.fix) result += mended(*diagnostic.fix, fixes, text);
  return result;
}

}  // namespace

std::string format(const Diagnostic& diagnostic, const std::string& text, bool colour) {
  return told(diagnostic, Fixes({}), Lines(text), colour);
}

std::string format_all(const std::vector<Diagnostic>& diagnostics, const std::string& text,
                       bool colour) {
  const Lines lines(text);
  const Fixes fixes(diagnostics);
  std::string all;
  for (const auto& diagnostic : diagnostics) all += told(diagnostic, fixes, lines, colour);
  return all;
}

}  // namespace millrace::inline v1
