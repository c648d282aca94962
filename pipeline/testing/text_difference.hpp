// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::inline v1 {

/// Every run of white space as one blank, and none at the ends.
std::string folded(std::string_view text);

/// The characters that must be inserted, removed or replaced to turn one text, white space folded,
/// into the other (Levenshtein 1966; the band of Ukkonen 1985, so that near texts cost little).
/// None where more than `most` are needed.
std::optional<std::size_t> characters_between(std::string_view got, std::string_view expected,
                                              std::size_t most);

/// The characters of a text, white space folded.
std::size_t characters_of(std::string_view text);

/// The lines that differ, as `diff -u` shows them, a line of context around; at most `lines`.
std::string unified_difference(std::string_view expected, std::string_view got, std::size_t lines);

}  // namespace millrace::inline v1
