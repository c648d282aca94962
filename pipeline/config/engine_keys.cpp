// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iterator>
#include <optional>

#include "config/document.hpp"
#include "config/engine_options.hpp"
#include "config/keys.hpp"
#include "config/variables.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::uint64_t least_memory = std::uint64_t{1} << 20;

void read_id(Option& option, const Value& value, StageItem& item, Diagnostics& diagnostics) {
  if (value.broken) return;
  const auto complaint = option.assign(value);
  if (!complaint)
    item.id = value;
  else
    diagnostics.error(Code::invalid_name, value, *complaint,
                      "an id has letters, digits, '_' and '-', and begins with a letter");
}

void read_from(Option& option, const Value& value, StageItem& item, Diagnostics& diagnostics) {
  const auto is_id = [](const Value& id) { return id.kind == Value::Kind::scalar && !id.broken; };
  item.has_from = true;
  item.lost_from = value.broken || !std::ranges::all_of(value.items, is_id);
  if (is_id(value)) item.from.push_back(value);
  std::ranges::copy_if(value.items, std::back_inserter(item.from), is_id);
  const auto complaint = value.broken ? std::nullopt : option.assign(value);
  if (!complaint) return;
  item.lost_from = true;
  const std::string how = "write the id of a stage, or a list: from: [left, right]";
  if (value.items.empty())
    diagnostics.error(Code::missing_value, value, "'from' " + *complaint, how);
  for (const auto& id : value.items)
    if (!is_id(id) && !id.broken)
      diagnostics.error(Code::wrong_type, id, "'from' " + *complaint, how);
}

/// `3`, or `{ attempts: 3, backoff: 1s..30s }`.
bool read_retry(EngineOptions& options, const Value::Entry& entry, Diagnostics& diagnostics) {
  const Value& value = entry.value;
  if (value.broken) return false;
  if (value.kind != Value::Kind::map)
    return assign(*options.plain.find("retry"), entry, diagnostics);
  Options& inside = options.within("retry");
  check_keys(value, names_of(inside), "in 'retry'", diagnostics);
  const auto* written = find_key(value, "attempts");
  if (!written && (value.entries.empty() || find_key(value, "backoff")))
    diagnostics.error(Code::missing_key, entry, "'retry' does not say how many attempts",
                      "write retry: 3, or retry: { attempts: 3, backoff: 1s..30s }");
  bool sound = written && assign(*inside.find("attempts"), *written, diagnostics);
  if (const auto* range = find_key(value, "backoff"))
    sound = assign(*inside.find("backoff"), *range, diagnostics) && sound;
  return sound;
}

/// `process`, or `{ memory: 2GiB, crashes: 5 }`, which means the same with limits.
bool read_isolate(ItemOptions& options, const Value::Entry& entry, Diagnostics& diagnostics) {
  const Value& value = entry.value;
  if (value.broken) return false;
  if (value.kind != Value::Kind::map)
    return assign(*options.declared.plain.find("isolate"), entry, diagnostics);
  Options& inside = options.declared.within("isolate");
  check_keys(value, names_of(inside), "in 'isolate'", diagnostics);
  if (value.entries.empty())
    diagnostics.error(Code::missing_value, value, "'isolate' is empty",
                      "write isolate: process, or isolate: { memory: 2GiB, crashes: 5 }");
  bool sound = true;
  for (const auto& limit : value.entries)
    if (Option* const option = inside.find(limit.key))
      sound = assign(*option, limit, diagnostics) && sound;
  if (!options.memory || options.memory->bytes >= least_memory) return sound;
  diagnostics.error(Code::out_of_range, find_key(value, "memory")->value,
                    "memory: " + OptionType<ByteSize>::print(*options.memory) + " is too little",
                    "1MiB or more, with its unit, such as memory: 2GiB");
  return false;
}

void read(ItemOptions& options, const Value::Entry& entry, StageItem& item,
          Diagnostics& diagnostics) {
  Option* const option = options.declared.plain.find(entry.key);
  const auto taken = [&] { return assign(*option, entry, diagnostics); };
  if (entry.key == "id") {
    read_id(*option, entry.value, item, diagnostics);
  } else if (entry.key == "from") {
    read_from(*option, entry.value, item, diagnostics);
  } else if (entry.key == "workers") {
    item.workers_key = &entry;
    if (taken()) item.workers = options.workers;
  } else if (entry.key == "queue") {
    item.queue_key = &entry;
    if (taken()) item.queue = static_cast<std::size_t>(*options.queue);
  } else if (entry.key == "timeout") {
    if (taken()) item.timeout = options.timeout;
  } else if (entry.key == "retry") {
    if (read_retry(options.declared, entry, diagnostics))
      item.retry = {static_cast<std::size_t>(options.attempts), options.backoff.first,
                    options.backoff.longest};
  } else if (entry.key == "rate") {
    if (taken()) item.rate = options.rate;
  } else if (entry.key == "on_error") {
    item.on_error =
        read_on_error(options.declared, options.on_error, options.max_failures, entry, diagnostics);
  } else if (entry.key == "isolate") {
    item.isolate_key = &entry;
    if (!read_isolate(options, entry, diagnostics)) return;
    item.isolate = Isolate{static_cast<std::size_t>(options.crashes), std::nullopt};
    if (options.memory) item.isolate->memory = options.memory->bytes;
  }
}

}  // namespace

const std::vector<std::string>& engine_keys() {
  static const std::vector<std::string> keys = names_of(ItemOptions().declared.plain);
  return keys;
}

void read_engine_keys(const Value& map, StageItem& item, Diagnostics& diagnostics) {
  std::optional<ItemOptions> options;  // most items have none
  for (const auto& entry : map.entries) {
    if (std::ranges::find(engine_keys(), entry.key) == engine_keys().end()) continue;
    if (!options) options.emplace();
    read(*options, entry, item, diagnostics);
  }
  for (const auto& key : engine_keys())
    if (const auto* entry = find_key(map, key)) item.engine_keys[key] = provenance_of(*entry);
}

}  // namespace millrace::inline v1
