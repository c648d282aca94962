// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/source_text.hpp"

namespace millrace::inline v1 {

/// Takes what cannot be read out of a text, an item of `stages` or the whole of another key, so
/// that the rest can be: one mistake in the syntax must not hide all others.
class Salvage {
 public:
  explicit Salvage(const SourceText& source);

  /// Leaves a mark in place of the item or key that this line is in. False where it is in none, or
  /// where what is left could not be understood without it.
  bool take_out(int line);
  /// Whether the line has been taken out.
  bool is_out(int line) const;
  /// The text without them; all places are where they were.
  std::string text() const;
  /// The lines of the marks, each `- ~` or `key: ~`.
  const std::vector<int>& marks() const { return marks_; }

 private:
  const std::string& line_at(int line) const;
  bool begins_item(int line) const;
  bool take_item(int line);
  bool take_key(int line);
  std::string swallowed_key(const std::string& line) const;
  bool replace(int begin, int end, const std::string& mark);

  std::vector<std::string> lines_;
  int first_ = 0, last_ = 0;  // the lines of the items, counted from 1; 0: none
  std::size_t indent_ = 0;    // of the items
  std::vector<int> marks_;
  std::vector<bool> out_;  // by line, counted from 0
};

}  // namespace millrace::inline v1
