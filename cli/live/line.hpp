// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::cli {

/// What can be drawn on.
struct Screen {
  std::size_t columns = 80, lines = 24;
  bool unicode = true;
  bool colours = true;
};

enum class Style { plain, strong, faint, good, bad, marked };

/// A line of a terminal that is put together from left to right and ends at its last column:
/// what is too long is cut, by columns and not by bytes.
class Line {
 public:
  Line(const Screen& screen, std::size_t columns) : screen_(screen), most_(columns) {}

  /// Control characters and invalid UTF-8 are shown escaped.
  Line& add(std::string_view text, Style style = Style::plain);
  Line& to(std::size_t column);  ///< Spaces, up to there.
  /// The text ending in front of that column.
  Line& right(std::string_view text, std::size_t column, Style style = Style::plain);

  std::size_t columns() const noexcept { return columns_; }
  const std::string& text() const noexcept { return text_; }

 private:
  Screen screen_;
  std::size_t most_;
  std::size_t columns_ = 0;
  std::string text_;
};

/// The beginning of the text that has room, with a mark where something is missing.
std::string cut(std::string_view text, std::size_t columns, bool unicode);

/// The part that is done of a bar of so many columns, and the rest.
struct Bar {
  std::string done, rest;
};
Bar thin_bar(double share, std::size_t columns, bool unicode);
Bar full_bar(double share, std::size_t columns, bool unicode);

/// "240/s", "2.4/s", "12/min", "40/h".
std::string rate_text(double per_second);
/// "40 s", "4 min 20 s", "2 h 05 min", "3 days": the coarser, the longer.
std::string rough_text(double seconds);

}  // namespace millrace::cli
