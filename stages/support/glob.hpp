// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::inline v1 {

/// A pattern for paths. `*` and `?` stay within a part, `**` as a whole part stands for any number
/// of folders, also none; `[a-z]`, `[!0-9]`, `{jpg,png}`; `\` takes the next character as it is.
/// ASCII letters match in both cases, since cameras write `.JPG`. Any text is a pattern: a bracket
/// that is not closed stands for itself.
class Glob {
 public:
  explicit Glob(std::string_view pattern);

  /// The whole path. [any thread]
  bool matches(std::string_view path) const;

  /// How many parts a path that matches has at most; none where `**` makes it endless.
  std::optional<std::size_t> depth() const;

  /// Whether the text has one of the signs above.
  static bool is_pattern(std::string_view text) noexcept;

 private:
  std::vector<std::vector<std::string>> alternatives_;  // each split into its parts
};

}  // namespace millrace::inline v1
