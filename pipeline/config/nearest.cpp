// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/nearest.hpp"

#include <algorithm>

namespace millrace::inline v1 {
namespace {

// Names in a pipeline are short; anything longer is not a misspelling of one.
constexpr std::size_t longest_name = 64;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return result;
}

/// One edit for short names, two from six characters on, three from nine.
std::size_t edits_allowed(std::size_t length) { return std::clamp<std::size_t>(length / 3, 1, 3); }

/// The edit distance, or any greater number than `limit` as soon as it is sure to exceed that.
std::size_t distance_up_to(std::size_t limit, const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    // An exchange reaches back over one row, so that two of them must exceed the limit.
    if (std::min(std::ranges::min(row), std::ranges::min(above)) > limit) return limit + 1;
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  return distance_up_to(left.size() + right.size(), lower(left), lower(right));
}

std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > longest_name) return std::nullopt;
  const std::string wanted = lower(name);
  const std::string* best = nullptr;
  std::size_t fewest = 0;
  for (const auto& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    const std::size_t allowed = edits_allowed(longer);
    if (longer - shorter > allowed) continue;
    const std::size_t edits = distance_up_to(allowed, wanted, lower(candidate));
    // A name of which nothing is left is another name: `a` is no misspelt `b`.
    if (edits > allowed || edits >= shorter || (best && edits >= fewest)) continue;
    best = &candidate;
    fewest = edits;
  }
  if (best) return *best;
  if (name.size() < 3) return std::nullopt;
  for (const auto& candidate : candidates) {
    if (!lower(candidate).starts_with(wanted)) continue;
    if (best) return std::nullopt;
    best = &candidate;
  }
  return best ? std::optional(*best) : std::nullopt;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const auto meant = nearest(name, candidates);
  return meant ? "did you mean '" + *meant + "'?" : std::string();
}

}  // namespace millrace::inline v1
