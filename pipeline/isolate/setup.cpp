// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "isolate/setup.hpp"

#include "config/diagnostics.hpp"
#include "config/prototypes.hpp"
#include "config/yaml.hpp"
#include "millrace/catalogue.hpp"
#include "millrace/plugin.hpp"

namespace millrace::inline v1 {
namespace {

/// As for the same option of another object.
void assign(Option& option, const std::string& printed) {
  if (const auto complaint = assign_printed(option, printed))
    throw Error(ErrorKind::config, option.name() + ": " + *complaint);
}

}  // namespace

std::optional<std::string> assign_printed(Option& option, const std::string& printed) {
  auto complaint = option.assign(Value::scalar(printed));
  if (!complaint && option.print() == printed) return complaint;
  Diagnostics ignored(option.name());
  if (const auto value = read_yaml(SourceText(printed), ignored)) complaint = option.assign(*value);
  return complaint;
}

Setup setup_of(const PlannedStage& planned) {
  Setup setup;
  setup.name = planned.name;
  setup.plugin = planned.plugin;
  Options options;
  planned.stage->options(options);
  for (const auto& option : options.all())
    setup.options.emplace_back(option.name(), option.print());
  if (planned.isolate) setup.memory = planned.isolate->memory;
  setup.demand = planned.downstream;
  setup.is_sized = static_cast<bool>(planned.downstream.target_size);
  return setup;
}

void put_setup(Writer& fields, const Setup& setup) {
  fields.put(setup.name);
  fields.put(setup.plugin);
  fields.put<std::uint64_t>(setup.options.size());
  for (const auto& [name, value] : setup.options) {
    fields.put(name);
    fields.put(value);
  }
  fields.put<std::uint64_t>(setup.memory.value_or(0));
  fields.put(setup.demand.upright);
  fields.put(setup.demand.gray);
  fields.put(setup.demand.extension);
  fields.put(setup.is_sized);
}

Setup get_setup(Reader& fields) {
  Setup setup;
  setup.name = fields.get_text();
  setup.plugin = fields.get_text();
  for (auto count = fields.get_count(1); count > 0; --count) {
    auto name = fields.get_text();
    setup.options.emplace_back(std::move(name), fields.get_text());
  }
  if (const auto memory = fields.get<std::uint64_t>()) setup.memory = memory;
  setup.demand.upright = fields.get<bool>();
  setup.demand.gray = fields.get<bool>();
  setup.demand.extension = fields.get_text();
  setup.is_sized = fields.get<bool>();
  return setup;
}

std::unique_ptr<Stage> make_stage(const Setup& setup) {
  if (!setup.plugin.empty()) load_manifests();
  const auto* entry = Catalogue::instance().find(setup.name);
  const std::string from = setup.plugin.empty() ? "" : " of " + setup.plugin;
  if (!entry) throw Error(ErrorKind::plugin, "there is no stage '" + setup.name + "'" + from);
  if (entry->plugin != setup.plugin)
    throw Error(ErrorKind::plugin,
                "the stage '" + setup.name + "'" + from + " is not there; " +
                    (entry->plugin.empty() ? "one is built in" : entry->plugin + " has one"));
  auto made = make_stage(*entry);
  for (const auto& [name, value] : setup.options) {
    Option* const option = made.options.find(name);
    if (!option) throw Error(ErrorKind::plugin, "it has no option '" + name + "'");
    if (option->print() != value) assign(*option, value);
  }
  return std::move(made.stage);
}

}  // namespace millrace::inline v1
