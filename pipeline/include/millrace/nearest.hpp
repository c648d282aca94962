// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::inline v1 {

/// How many characters must be inserted, removed, replaced or exchanged with their neighbour to
/// turn one name into the other; letter case does not count. (Optimal string alignment distance:
/// Wagner and Fischer 1974 with the transposition of Damerau 1964.)
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that was probably meant: one with few enough edits for its length, or else the
/// only one that begins with `name`. The first of equals; none when nothing is near.
std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates);

/// "did you mean 'resize'?", or "" when nothing is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace millrace::inline v1
