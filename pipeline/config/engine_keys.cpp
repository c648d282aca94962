// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "config/document.hpp"
#include "config/engine_types.hpp"
#include "config/keys.hpp"
#include "config/scalars.hpp"
#include "config/variables.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::size_t max_workers = 1024;
constexpr std::size_t max_queue = 65536;
constexpr int max_attempts = 100;
constexpr int max_crashes = 1000000;
constexpr std::uint64_t least_memory = std::uint64_t{1} << 20;

std::optional<Workers> parse_workers(std::string_view text) {
  if (text == "cpu") return Workers{1, true};
  const bool per_cpu = text.ends_with("*cpu");
  const auto number =
      read_number<std::size_t>(text.substr(0, text.size() - (per_cpu ? 4 : 0))).number;
  if (number && *number >= 1 && *number <= max_workers) return Workers{*number, per_cpu};
  return std::nullopt;
}

/// A plain scalar that `parse` takes; complains about everything else in the words of `noun`.
template <class Parse>
auto read_plain(const Value::Entry& entry, const std::string& noun, const std::string& allowed,
                Diagnostics& diagnostics, const Parse& parse) -> decltype(parse("")) {
  const Value& value = entry.value;
  if (value.broken) return std::nullopt;
  const bool scalar = value.kind == Value::Kind::scalar;
  const auto read = scalar ? parse(value.text) : std::nullopt;
  if (read && !value.quoted) return read;
  if (read)
    diagnostics.error(Code::quoted_value, value,
                      entry.key + ": " + quote(value.text) + " is quoted and so a text",
                      "write " + entry.key + ": " + value.text);
  else
    diagnostics.error(
        scalar && is_padded(value.text) ? Code::leading_zero
        : scalar                        ? Code::out_of_range
                                        : Code::wrong_type,
        value,
        entry.key + (scalar ? ": " + quote(value.text) + " is no " : ": there is no ") + noun,
        "allowed: " + allowed);
  return std::nullopt;
}

void read_id(const Value& value, StageItem& item, Diagnostics& diagnostics) {
  if (value.broken) return;
  if (value.kind == Value::Kind::scalar && is_name(value.text)) {
    item.id = value;
    return;
  }
  diagnostics.error(Code::invalid_name, value,
                    value.kind == Value::Kind::scalar ? quote(value.text) + " cannot be an id"
                                                      : "an id is a name",
                    "an id has letters, digits, '_' and '-', and begins with a letter");
}

void read_from(const Value& value, StageItem& item, Diagnostics& diagnostics) {
  item.has_from = true;
  const std::string how = "write the id of a stage, or a list: from: [left, right]";
  if (value.broken) {
    item.lost_from = true;
  } else if (value.kind == Value::Kind::scalar) {
    item.from.push_back(value);
  } else if (value.kind != Value::Kind::list || value.items.empty()) {
    item.lost_from = true;
    diagnostics.error(Code::missing_value, value, "'from' names no stage", how);
  }
  if (value.kind != Value::Kind::list) return;
  for (const auto& id : value.items) {
    if (id.kind == Value::Kind::scalar && !id.broken) {
      item.from.push_back(id);
      continue;
    }
    item.lost_from = true;
    if (!id.broken) diagnostics.error(Code::wrong_type, id, "'from' is a list of ids", how);
  }
}

void read_timeout(const Value::Entry& entry, StageItem& item, Diagnostics& diagnostics) {
  Duration timeout{};
  Options options;
  Option& option = options.add("timeout", timeout, "The longest that one item may take here.")
                       .range(0.001, 86400)
                       .unit("seconds");
  if (assign(option, entry, diagnostics)) item.timeout = timeout;
}

void read_rate(const Value::Entry& entry, StageItem& item, Diagnostics& diagnostics) {
  Rate rate;
  Options options;
  if (assign(options.add("rate", rate, "How many items may begin in a time."), entry, diagnostics))
    item.rate = rate;
}

/// `3`, or `{ attempts: 3, backoff: 1s..30s }`.
void read_retry(const Value::Entry& entry, StageItem& item, Diagnostics& diagnostics) {
  int attempts = 1;
  Backoff backoff;
  Options options;
  const Value& value = entry.value;
  const bool map = value.kind == Value::Kind::map;
  Option& count = options.add(map ? "attempts" : "retry", attempts, "How often to try, in all.")
                      .range(1, max_attempts);
  Option& waits = options.add("backoff", backoff, "The waits before each further attempt.");
  if (value.broken) return;
  bool sound = true;
  if (map) {
    check_keys(value, {"attempts", "backoff"}, "in 'retry'", diagnostics);
    const auto* written = find_key(value, "attempts");
    if (!written && (value.entries.empty() || find_key(value, "backoff")))
      diagnostics.error(Code::missing_key, entry, "'retry' does not say how many attempts",
                        "write retry: 3, or retry: { attempts: 3, backoff: 1s..30s }");
    sound = written && assign(count, *written, diagnostics);
    if (const auto* range = find_key(value, "backoff"))
      sound = assign(waits, *range, diagnostics) && sound;
  } else {
    sound = assign(count, entry, diagnostics);
  }
  if (sound) item.retry = {static_cast<std::size_t>(attempts), backoff.first, backoff.longest};
}

/// `process`, or `{ memory: 2GiB, crashes: 5 }`, which means the same with limits.
std::optional<Isolate> read_isolate(const Value::Entry& entry, Diagnostics& diagnostics) {
  const Value& value = entry.value;
  if (value.broken) return std::nullopt;
  Isolate isolate;
  if (value.kind != Value::Kind::map) {
    enum class As { process } as{};
    Options options;
    Option& option = options.add<As>("isolate", as, {{"process", As::process, "In a process."}},
                                     "What a fault of the stage is kept in.");
    return assign(option, entry, diagnostics) ? std::optional(isolate) : std::nullopt;
  }
  int crashes = static_cast<int>(isolate.crashes);
  std::optional<ByteSize> memory;
  Options options;
  options.add("memory", memory, "What each process may take.");
  options.add("crashes", crashes, "After how many in all the run stops.").range(1, max_crashes);
  check_keys(value, names_of(options), "in 'isolate'", diagnostics);
  if (value.entries.empty())
    diagnostics.error(Code::missing_value, value, "'isolate' is empty",
                      "write isolate: process, or isolate: { memory: 2GiB, crashes: 5 }");
  bool sound = true;
  for (const auto& limit : value.entries)
    if (Option* const option = options.find(limit.key))
      sound = assign(*option, limit, diagnostics) && sound;
  if (memory && memory->bytes < least_memory) {
    diagnostics.error(Code::out_of_range, find_key(value, "memory")->value,
                      "memory: " + OptionType<ByteSize>::print(*memory) + " is too little",
                      "1MiB or more, with its unit, such as memory: 2GiB");
    sound = false;
  }
  if (!sound) return std::nullopt;
  isolate.crashes = static_cast<std::size_t>(crashes);
  if (memory) isolate.memory = memory->bytes;
  return isolate;
}

}  // namespace

const std::vector<std::string>& engine_keys() {
  static const std::vector<std::string> keys{"id",    "from", "workers",  "queue",  "timeout",
                                             "retry", "rate", "on_error", "isolate"};
  return keys;
}

void read_engine_keys(const Value& map, StageItem& item, Diagnostics& diagnostics) {
  for (const auto& entry : map.entries) {
    if (entry.key == "id") {
      read_id(entry.value, item, diagnostics);
    } else if (entry.key == "from") {
      read_from(entry.value, item, diagnostics);
    } else if (entry.key == "workers") {
      item.workers_key = &entry;
      item.workers = read_plain(
          entry, "number of workers",
          "1.." + std::to_string(max_workers) + ", cpu (one per CPU), or a multiple such as 2*cpu",
          diagnostics, parse_workers);
    } else if (entry.key == "queue") {
      item.queue_key = &entry;
      item.queue =
          read_plain(entry, "number of items",
                     "0.." + std::to_string(max_queue) + "; 0 hands every item over directly",
                     diagnostics, [](std::string_view text) {
                       const auto number = read_number<std::size_t>(text).number;
                       return number && *number <= max_queue ? number : std::nullopt;
                     });
    } else if (entry.key == "timeout") {
      read_timeout(entry, item, diagnostics);
    } else if (entry.key == "retry") {
      read_retry(entry, item, diagnostics);
    } else if (entry.key == "rate") {
      read_rate(entry, item, diagnostics);
    } else if (entry.key == "on_error") {
      item.on_error = read_on_error(entry, diagnostics);
    } else if (entry.key == "isolate") {
      item.isolate_key = &entry;
      item.isolate = read_isolate(entry, diagnostics);
    }
  }
  for (const auto& key : engine_keys())
    if (const auto* entry = find_key(map, key)) item.engine_keys[key] = provenance_of(*entry);
}

}  // namespace millrace::inline v1
