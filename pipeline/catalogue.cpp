// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/catalogue.hpp"

#include <algorithm>

namespace millrace::inline v1 {

Catalogue& Catalogue::instance() {
  static Catalogue catalogue;
  return catalogue;
}

void Catalogue::add(Entry entry) noexcept {
  const auto at = std::ranges::lower_bound(entries_, entry.name, {}, &Entry::name);
  if (at != entries_.end() && at->name == entry.name) {
    conflicts_.push_back("stage '" + entry.name + "' of " +
                         (entry.plugin.empty() ? "this program" : entry.plugin) +
                         " is kept out: the name is taken");
    return;
  }
  entries_.insert(at, std::move(entry));
}

const Catalogue::Entry* Catalogue::find(std::string_view name) const noexcept {
  const auto at = std::ranges::lower_bound(entries_, name, {}, &Entry::name);
  return at != entries_.end() && at->name == name ? &*at : nullptr;
}

std::vector<const Catalogue::Entry*> Catalogue::all() const {
  std::vector<const Entry*> all;
  for (const auto& entry : entries_) all.push_back(&entry);
  return all;
}

}  // namespace millrace::inline v1
