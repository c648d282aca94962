// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/verb.hpp"

#include <algorithm>

namespace millrace::cli {

Verbs& Verbs::instance() {
  static Verbs verbs;
  return verbs;
}

const Verbs::Entry* Verbs::find(const std::vector<std::string>& words) const {
  const auto named = [&](const std::string& name) -> const Entry* {
    const auto found = std::ranges::find(entries_, name, &Entry::name);
    return found == entries_.end() ? nullptr : &*found;
  };
  if (words.size() > 1)
    if (const auto* const entry = named(words[0] + " " + words[1])) return entry;
  return words.empty() ? nullptr : named(words[0]);
}

std::vector<const Verbs::Entry*> Verbs::all() const {
  std::vector<const Entry*> sorted;
  for (const auto& entry : entries_)
    if (entry.group != Group::hidden) sorted.push_back(&entry);
  std::ranges::sort(sorted, {}, &Entry::name);
  return sorted;
}

}  // namespace millrace::cli
