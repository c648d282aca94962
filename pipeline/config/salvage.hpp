// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/source_text.hpp"

namespace millrace::inline v1 {

/// Takes the items of `stages` that cannot be read out of a text, so that the rest can be: one
/// mistake in the syntax must not hide all others.
class Salvage {
 public:
  explicit Salvage(const SourceText& source);

  /// Leaves a mark in place of the item that this line is in. False where it is in none, or where
  /// what is left could not be understood without it.
  bool take_out(int line);
  /// The text without those items; all places are where they were.
  std::string text() const;
  /// The lines of the marks, each `- ~`.
  const std::vector<int>& marks() const { return marks_; }

 private:
  bool begins_item(int line) const;

  std::vector<std::string> lines_;
  int first_ = 0, last_ = 0;  // the lines of the items, counted from 1; 0: none
  std::size_t indent_ = 0;    // of the items
  std::vector<int> marks_;
};

}  // namespace millrace::inline v1
