// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/prototypes.hpp"

#include <algorithm>

#include "config/document.hpp"

namespace millrace::inline v1 {

StageWithOptions make_stage(const Catalogue::Entry& entry) {
  StageWithOptions made;
  made.stage = entry.make();
  if (!made.stage) throw Error(ErrorKind::plugin, "'" + entry.name + "' made no stage");
  made.stage->options(made.options);
  return made;
}

std::vector<std::string> Prototypes::names() const {
  std::vector<std::string> names;
  for (const auto* entry : catalogue_.all()) names.push_back(entry->name);
  return names;
}

std::string Prototypes::hint_for(const std::string& name) const {
  if (const auto* reason = catalogue_.why_left_out(name)) return *reason;
  if (auto meant = suggest(name, names()); !meant.empty()) return meant.hint;
  const bool plugins = std::ranges::any_of(
      catalogue_.all(), [](const auto* entry) { return !entry->plugin.empty(); });
  return plugins ? "'millrace stages' lists them"
                 : "'millrace stages' lists them; no plugin was found, so what plugins have is not "
                   "among them";
}

const Prototype* Prototypes::of(std::string_view name) {
  const auto known = made_.find(name);
  if (known != made_.end()) return known->second.get();
  std::unique_ptr<Prototype> prototype;
  if (const auto* entry = catalogue_.find(name)) {
    try {
      prototype = std::make_unique<Prototype>(Prototype{entry, make_stage(*entry)});
    } catch (const Error&) {
      // Told where the stage itself is made.
    }
  }
  return made_.emplace(name, std::move(prototype)).first->second.get();
}

const std::vector<const Prototype*>& Prototypes::converters(bool of_plugins) {
  const auto [known, is_new] = converters_.try_emplace(of_plugins);
  if (!is_new) return known->second;
  for (const auto* entry : catalogue_.all()) {
    if (entry->role != Role::converter || entry->plugin.empty() == of_plugins) continue;
    const auto* prototype = of(entry->name);
    if (prototype && prototype->made.stage->gives()) known->second.push_back(prototype);
  }
  return known->second;
}

std::string Prototypes::owner_of(const std::string& option) {
  for (const auto* entry : catalogue_.all()) {
    const auto* prototype = entry->plugin.empty() ? of(entry->name) : nullptr;
    if (!prototype) continue;
    const auto has = [&](const Option& one) { return one.name() == option; };
    if (std::ranges::any_of(prototype->made.options.all(), has)) return entry->name;
  }
  return {};
}

std::string Prototypes::place_of(const std::string& key) {
  if (std::ranges::count(engine_keys(), key) > 0)
    return quote(key) + " stands beside a stage's name, in 'stages'";
  if (std::ranges::count(run_keys(), key) > 0) return quote(key) + " stands in 'run'";
  if (std::ranges::count(top_keys(), key) > 0) return quote(key) + " stands at the top of the file";
  if (catalogue_.find(key)) return quote(key) + " is a stage: an item of 'stages'";
  const auto owner = owner_of(key);
  return owner.empty() ? owner : quote(key) + " is valid under " + quote(owner);
}

std::vector<std::string> Prototypes::sources() {
  std::vector<std::string> names;
  for (const auto* entry : catalogue_.all()) {
    const auto* prototype = entry->plugin.empty() ? of(entry->name) : nullptr;
    if (prototype && prototype->made.stage->takes().empty()) names.push_back(entry->name);
  }
  return names;
}

}  // namespace millrace::inline v1
