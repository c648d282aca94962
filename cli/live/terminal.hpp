// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/live/line.hpp"
#include "process/descriptor.hpp"

namespace millrace::cli {

/// A terminal with a few lines at the bottom that are drawn again in their place, and ordinary ones
/// that go in above them. Uses no modes: whatever ends the program, the terminal is as it was.
/// Never waits: what has no room is sent later, or is not drawn. [one thread]
class Terminal {
 public:
  explicit Terminal(int descriptor);

  /// Whether lines can be drawn in place there.
  static bool is_one(int descriptor);

  /// Its size now, and what it can show by the environment.
  Screen screen() const;
  /// False: another job has the terminal, or it takes no more at the moment.
  bool is_free();

  /// Writes `above`, whole lines that stay, and then the block in place of the last one.
  void draw(std::string_view above, const std::vector<Line>& block);
  /// Takes the block away.
  void erase() { draw("", {}); }
  /// Waits a moment for what has found no room.
  void flush();
  /// What is drawn belongs to the past: the next block begins where the cursor is.
  void forget() { widths_.clear(); }

 private:
  std::size_t rows(std::size_t columns) const;
  void send(std::string_view text);

  int descriptor_;
  Descriptor own_;                   // the same terminal, without waiting
  std::vector<std::size_t> widths_;  // of the lines of the block that is there
  std::size_t columns_ = 0;          // at that time
  std::string pending_;
};

}  // namespace millrace::cli
