// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <string_view>
#include <utility>

#include "config/source_text.hpp"
#include "config/utf8.hpp"
#include "millrace/value.hpp"

namespace millrace::cli {

/// From bytes, in which positions are counted, to characters, in which other programs count.
class Columns {
 public:
  explicit Columns(std::string_view text) : source_(text) {}

  /// Of the first character, and the one behind the last, from 1.
  std::pair<int, int> of(Position where, int length) const {
    const auto line = source_.line(where.line);
    const auto begin = static_cast<std::size_t>(std::max(where.column, 1) - 1);
    const auto end = begin + static_cast<std::size_t>(std::max(length, 0));
    return {1 + characters(line, begin), 1 + characters(line, end)};
  }

 private:
  static int characters(std::string_view line, std::size_t bytes) {
    int count = 0;
    for (std::size_t at = 0; at < std::min(bytes, line.size()); ++count)
      at += std::max<std::size_t>(read_utf8(line, at).size, 1);
    return count;
  }

  SourceText source_;
};

}  // namespace millrace::cli
