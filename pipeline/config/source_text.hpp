// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"
#include "millrace/value.hpp"

namespace millrace::inline v1 {

/// The text of a pipeline file, without byte order mark and with `\n` alone between lines, so that
/// an offset has one position.
class SourceText {
 public:
  explicit SourceText(std::string_view raw);

  const std::string& text() const { return text_; }
  std::size_t lines() const { return starts_.size(); }

  /// Without its end; empty outside of the text. Counted from 1.
  std::string_view line(int number) const;
  Position position(std::size_t offset) const;
  /// Clamped to the text.
  std::size_t offset(Position where) const;

  /// Complains about what no pipeline may contain, whatever its YAML says: too many bytes, not
  /// UTF-8, control characters, tabs that indent. The lines that YAML cannot read; none when
  /// nothing can be read.
  std::optional<std::vector<int>> check(Diagnostics& diagnostics) const;

 private:
  bool check_characters(Diagnostics& diagnostics) const;
  std::vector<int> check_indentation(Diagnostics& diagnostics) const;

  std::string text_;
  std::vector<std::size_t> starts_;  // of the lines
};

}  // namespace millrace::inline v1
