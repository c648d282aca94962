// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "config/keys.hpp"
#include "config/variables.hpp"
#include "plan/draft.hpp"

namespace millrace::inline v1 {
namespace {

void assign_options(Node& node, Diagnostics& diagnostics) {
  const auto& map = node.item.key.value;
  if (map.broken) node.sound = false;
  for (const auto& entry : map.entries) {
    if (Option* option = node.made.options.find(entry.key)) {
      if (!assign(*option, entry, diagnostics)) node.sound = false;
      node.options[entry.key] = provenance_of(entry);
    } else {
      node.unclaimed.push_back(&entry);
    }
  }
}

/// A misspelt option is not missing as well.
bool is_misspelt(const Node& node, const std::string& option) {
  const auto options = names_of(node.made.options);
  return std::ranges::any_of(node.unclaimed, [&](const auto* entry) {
    if (entry->key.starts_with(option + ":")) return true;  // without a blank
    const auto advice = suggest(entry->key, options);
    return advice.fix && advice.fix->text == option;
  });
}

void check_required(Node& node, Diagnostics& diagnostics) {
  const auto& map = node.item.key.value;
  if (map.broken) return;
  for (const auto& option : node.made.options.all()) {
    if (!option.is_required() || find_key(map, option.name())) continue;
    node.sound = false;
    if (is_misspelt(node, option.name())) continue;
    diagnostics.error(Code::missing_option, node.item.key,
                      quote(node.item.name) + " needs the option " + quote(option.name()),
                      option.name() + " (" + option.allowed() + "): " + option.summary());
  }
}

/// Sinks that plan their outputs with one another must be in one process.
void check_isolation(Node& node, Diagnostics& diagnostics) {
  if (!node.item.isolate_key || !dynamic_cast<const OutputPlanner*>(node.made.stage.get())) return;
  diagnostics.error(Code::setting_conflict, *node.item.isolate_key,
                    quote(node.item.name) +
                        " cannot be isolated: it plans its files together with the other sinks",
                    "isolate the stages in front of it; a stage 'encode' can be, too");
}

}  // namespace

Draft configure(Document& document, Prototypes& prototypes, Diagnostics& diagnostics) {
  Draft draft;
  draft.nodes.resize(document.stages.size());
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    Node& node = draft.nodes[i];
    node.item = std::move(document.stages[i]);
    node.entry = node.item.name.empty() ? nullptr : prototypes.find(node.item.name);
    node.sound = node.entry != nullptr;
    if (!node.entry) continue;
    try {
      node.made = make_stage(*node.entry);
    } catch (const Error& error) {
      node.sound = false;
      diagnostics.error(Code::unusable_plugin, node.item.key,
                        quote(node.item.name) + " cannot be used: " + error.what());
      continue;
    }
    assign_options(node, diagnostics);
    check_required(node, diagnostics);
    check_isolation(node, diagnostics);
  }
  return draft;
}

}  // namespace millrace::inline v1
