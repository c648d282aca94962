// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/codes.hpp"

namespace millrace::inline v1 {

/// Which of the candidates other tools call `name`: `threads` is `workers` here.
std::optional<std::string> other_word_for(std::string_view name,
                                          const std::vector<std::string>& candidates);

/// What is wrong with a path that only a shell (`~/x`, `$HOME/x`) or Windows (`C:\x`) knows, or
/// with a text in typographic quotes.
struct ForeignPath {
  Code code;
  std::string why;
  std::string hint;
  std::optional<std::string> text;  ///< The same path as it must be written.
};
std::optional<ForeignPath> foreign_path(std::string_view text);

}  // namespace millrace::inline v1
