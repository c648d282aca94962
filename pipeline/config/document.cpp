// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/document.hpp"

#include <algorithm>

#include "config/keys.hpp"
#include "config/variables.hpp"

namespace millrace::inline v1 {
namespace {

// Each stage has at least one thread.
constexpr std::size_t max_stages = 4096;

void tell_missing_version(const Value& root, Diagnostics& diagnostics) {
  Advice advice("begin the file with 'version: 1'");
  // In braces, or behind something else in its line, it would have to look otherwise.
  if (root.where.column == 1 && !root.entries.empty() && root.entries[0].where == root.where)
    advice.fix = Fix{root.where, 0, "version: 1\n"};
  diagnostics.error(Code::missing_key, root.where, 1, "the key 'version' is missing",
                    std::move(advice));
}

void read_version(const Value& root, Diagnostics& diagnostics) {
  const auto* version = find_meant(root, "version", top_keys());
  if (!version) return tell_missing_version(root, diagnostics);
  const Value& value = version->value;
  if (value.broken || (value.kind == Value::Kind::scalar && value.text == "1" && !value.quoted))
    return;
  Advice advice("write 'version: 1'");
  const bool has_value = value.kind == Value::Kind::scalar && value.where != version->where;
  if (has_value && version->key == "version") advice.fix = Fix{{}, 0, "1"};
  diagnostics.error(Code::unknown_version, value,
                    value.kind == Value::Kind::scalar && !value.quoted
                        ? "version " + quote(value.text) + " is not known"
                        : "the version must be a number",
                    std::move(advice));
}

std::string read_name(const Value& root, Diagnostics& diagnostics) {
  const auto* name = find_key(root, "name");
  if (!name || name->value.broken) return {};
  if (name->value.kind != Value::Kind::scalar)
    diagnostics.error(Code::wrong_type, name->value, "the pipeline's name must be a text");
  return name->value.text;
}

void check_run_keys(Value run, Prototypes& prototypes, Diagnostics& diagnostics) {
  const auto& keys = run_keys();
  const auto of_a_stage = [&](const Value::Entry& entry) {
    return std::ranges::count(keys, entry.key) == 0 &&
           std::ranges::count(engine_keys(), entry.key) > 0;
  };
  for (const auto& entry : run.entries)
    if (of_a_stage(entry))
      diagnostics.error(Code::misplaced_key, entry, "unknown key " + quote(entry.key) + " in 'run'",
                        "write it in 'stages', beside the stage that it is for");
  std::erase_if(run.entries, of_a_stage);
  check_keys(run, keys, "in 'run'", diagnostics,
             [&](const std::string& key) { return prototypes.place_of(key); });
}

void read_run(const Value& root, Prototypes& prototypes, Document& document,
              Diagnostics& diagnostics) {
  const auto* entry = find_key(root, "run");
  if (!entry || entry->value.broken || entry->value.kind == Value::Kind::null) return;
  if (entry->value.kind != Value::Kind::map)
    return diagnostics.error(Code::wrong_type, entry->value, "'run' is a map of settings",
                             "write it as run: { on_error: stop }");
  document.run_keys = provenances_of(entry->value);
  RunOptions options;
  Options& plain = options.declared.plain;
  RunSettings& run = document.run;
  for (const auto& setting : entry->value.entries) {
    if (setting.key == "on_error")
      run.on_error = read_on_error(options.declared, options.on_error, options.max_failures,
                                   setting, diagnostics)
                         .value_or(OnError());
    else if (auto* option = plain.find(setting.key))
      assign(*option, setting, diagnostics);
  }
  check_run_keys(entry->value, prototypes, diagnostics);
  document.memory_key = find_key(entry->value, "memory");
  if (options.memory != MemoryShare()) document.memory = options.memory;
  if (options.in_flight.count) run.in_flight = static_cast<std::size_t>(*options.in_flight.count);
  run.order = options.order;
  run.shutdown_timeout = options.shutdown_timeout;
}

std::vector<StageItem> read_stages(const Value& root, Prototypes& prototypes,
                                   Diagnostics& diagnostics) {
  std::vector<StageItem> stages;
  const auto* entry = find_meant(root, "stages", top_keys());
  const std::string example = "write it as a list: - files: { path: photos }";
  if (!entry) {
    diagnostics.error(Code::missing_key, root.where, 1, "the key 'stages' is missing", example);
    return stages;
  }
  const Value& list = entry->value;
  if (list.broken) return stages;
  if (list.kind == Value::Kind::null || (list.kind == Value::Kind::list && list.items.empty()))
    diagnostics.error(Code::empty_pipeline, *entry, "there are no stages", example);
  else if (list.kind != Value::Kind::list)
    diagnostics.error(Code::wrong_type, list, "'stages' is a list: each stage begins with '- '",
                      example);
  else if (list.items.size() > max_stages)
    diagnostics.error(Code::limit_exceeded, *entry,
                      "there are " + std::to_string(list.items.size()) +
                          " stages; a pipeline may have " + std::to_string(max_stages));
  else
    for (const auto& item : list.items) stages.push_back(read_item(item, prototypes, diagnostics));
  return stages;
}

}  // namespace

const std::vector<std::string>& top_keys() {
  static const std::vector<std::string> keys{"version", "name", "vars", "run", "stages", "tests"};
  return keys;
}

const std::vector<std::string>& run_keys() {
  static const std::vector<std::string> keys = names_of(RunOptions().declared.plain);
  return keys;
}

Document read_document(const Value& root, Prototypes& prototypes, Diagnostics& diagnostics) {
  Document document;
  if (root.broken) return document;
  if (root.kind == Value::Kind::null) {
    diagnostics.error(Code::empty_pipeline, root, "the file is empty",
                      "a pipeline has the keys 'version: 1' and 'stages:'");
    return document;
  }
  if (root.kind != Value::Kind::map) {
    diagnostics.error(Code::wrong_type, root,
                      "a pipeline is a map with the keys version, name, vars, run and stages",
                      root.kind == Value::Kind::list ? "write the list below 'stages:'" : "");
    return document;
  }
  read_version(root, diagnostics);
  document.name = read_name(root, diagnostics);
  read_run(root, prototypes, document, diagnostics);
  document.stages = read_stages(root, prototypes, diagnostics);
  for (const auto& entry : root.entries)
    if (prototypes.find(entry.key)) document.stages.push_back(unreadable_item(entry.value));
  check_keys(root, top_keys(), "in the pipeline", diagnostics,
             [&](const std::string& key) { return prototypes.place_of(key); });
  return document;
}

std::optional<OnError> read_on_error(EngineOptions& options, const ErrorAction& action,
                                     const Length& max_failures, const Value::Entry& entry,
                                     Diagnostics& diagnostics) {
  const Value& value = entry.value;
  if (value.broken) return std::nullopt;
  if (value.kind != Value::Kind::map) {
    if (!assign(*options.plain.find("on_error"), entry, diagnostics)) return std::nullopt;
    return OnError{*action, {}};
  }
  Options& inside = options.within("on_error");
  check_keys(value, names_of(inside), "in 'on_error'", diagnostics);
  const auto* limit = find_key(value, "max_failures");
  if (!limit) {
    if (value.entries.empty())
      diagnostics.error(Code::missing_value, value, "'on_error' is empty",
                        "write continue, stop or { max_failures: 10 }");
    return std::nullopt;
  }
  if (!assign(*inside.find("max_failures"), *limit, diagnostics)) return std::nullopt;
  const auto [number, percent] = max_failures;
  if (percent ? number <= 100 : number == static_cast<double>(static_cast<std::int64_t>(number)))
    return OnError{OnError::Action::limit, max_failures};
  diagnostics.error(Code::out_of_range, limit->value,
                    "max_failures: " + quote(limit->value.text) + " is not " +
                        (percent ? "0%..100%" : "a whole number or a percentage"));
  return std::nullopt;
}

}  // namespace millrace::inline v1
