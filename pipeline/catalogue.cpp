// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/catalogue.hpp"

#include <algorithm>
#include <utility>

namespace millrace::inline v1 {

namespace {

thread_local std::vector<Catalogue::Entry>* collected = nullptr;

}  // namespace

Catalogue& Catalogue::instance() {
  static Catalogue catalogue;
  return catalogue;
}

void Catalogue::add(Entry entry) noexcept {
  if (collected != nullptr && this == &instance()) {
    collected->push_back(std::move(entry));
    return;
  }
  const auto [at, added] = entries_.try_emplace(entry.name, entry);
  if (added || (!entry.plugin.empty() && entry.plugin == at->second.plugin)) return;
  std::string conflict = "stage '" + entry.name + "' of " +
                         (entry.plugin.empty() ? "this program" : entry.plugin) +
                         " is kept out: the name is taken";
  if (std::ranges::find(conflicts_, conflict) == conflicts_.end())
    conflicts_.push_back(std::move(conflict));
}

const Catalogue::Entry* Catalogue::find(std::string_view name) const noexcept {
  const auto at = entries_.find(name);
  return at != entries_.end() ? &at->second : nullptr;
}

std::vector<const Catalogue::Entry*> Catalogue::all() const {
  std::vector<const Entry*> all;
  for (const auto& [name, entry] : entries_) all.push_back(&entry);
  return all;
}

void Catalogue::leave_out(const std::string& name, std::string reason) {
  left_out_.try_emplace(name, std::move(reason));
}

const std::string* Catalogue::why_left_out(std::string_view name) const noexcept {
  const auto at = left_out_.find(name);
  return at != left_out_.end() ? &at->second : nullptr;
}

std::vector<Catalogue::Entry> Catalogue::collect(const std::function<void()>& open) {
  std::vector<Entry> entries;
  struct Restore {
    std::vector<Entry>* before;
    ~Restore() { collected = before; }
  } restore{std::exchange(collected, &entries)};
  open();
  return entries;
}

}  // namespace millrace::inline v1
