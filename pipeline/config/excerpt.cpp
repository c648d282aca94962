// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cstdio>

#include "config/source_text.hpp"
#include "config/utf8.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {
namespace {

constexpr int max_columns = 100;

/// One character of a line as a terminal may see it.
struct Cell {
  std::string text;
  int width = 1;
  std::size_t size = 1;  // in bytes of the line
};

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

/// The line around the marked bytes, and a second line with the caret below them.
std::string excerpt(std::string_view line, std::size_t mark, std::size_t mark_end) {
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
  return "    " + text + "\n    " + caret + "\n";
}

}  // namespace

std::string format(const Diagnostic& diagnostic, const std::string& text) {
  std::string result = printable(diagnostic.file) + ":";
  const auto [line, column] = diagnostic.where;
  if (line > 0) result += std::to_string(line) + ":" + std::to_string(column) + ":";
  result += diagnostic.severity == Diagnostic::Severity::error ? " error: " : " warning: ";
  result += printable(diagnostic.message) + "\n";
  const SourceText source(text);
  if (line > 0 && static_cast<std::size_t>(line) <= source.lines()) {
    const auto mark = static_cast<std::size_t>(std::max(column, 1) - 1);
    const auto length = static_cast<std::size_t>(std::max(diagnostic.length, 1));
    result += excerpt(source.line(line), mark, mark + length);
  }
  if (!diagnostic.hint.empty()) result += "  hint: " + printable(diagnostic.hint) + "\n";
  return result;
}

}  // namespace millrace::inline v1
