// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/engine_options.hpp"
#include "config/prototypes.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// An item of `stages` as it was written, its engine keys already typed.
struct StageItem {
  std::string name;  ///< Of the stage; "" where it could not be told.
  Provenances engine_keys;
  Value::Entry key;  ///< The name as it stands in the file, with the map of options or a null.
  Value id;          ///< A scalar, or null.
  std::vector<Value> from;
  bool has_from = false;
  bool lost_from = false;  ///< It was complained about: what this stage reads is not known.
  std::optional<Workers> workers;
  const Value::Entry* workers_key = nullptr;
  std::optional<std::size_t> queue;
  const Value::Entry* queue_key = nullptr;
  std::optional<Duration> timeout;
  std::optional<Retry> retry;
  std::optional<Rate> rate;
  std::optional<OnError> on_error;
  std::optional<Isolate> isolate;
  const Value::Entry* isolate_key = nullptr;
};

/// A pipeline file, read but not yet a graph.
struct Document {
  std::string name;
  RunSettings run;  ///< All but `memory`.
  std::optional<MemoryShare> memory;
  const Value::Entry* memory_key = nullptr;
  Provenances run_keys;
  std::vector<StageItem> stages;
};

/// Reads the top level: version, name, run and stages. `root` has its variables replaced and must
/// outlive the result.
Document read_document(const Value& root, Prototypes& prototypes, Diagnostics& diagnostics);

/// The keys at the top of a file, and those in `run`.
const std::vector<std::string>& top_keys();
const std::vector<std::string>& run_keys();

/// The keys that stand beside a stage's name.
const std::vector<std::string>& engine_keys();

/// Reads those of an item. `map` must outlive the result.
void read_engine_keys(const Value& map, StageItem& item, Diagnostics& diagnostics);

/// Reads one item of `stages`.
StageItem read_item(const Value& item, Prototypes& prototypes, Diagnostics& diagnostics);

/// What stands for an item of which nothing is known but that there is one.
StageItem unreadable_item(const Value& value);

/// `continue`, `stop`, or `{max_failures: 10}`, by `options`, which are bound to `action` and
/// `max_failures`; none after a complaint.
std::optional<OnError> read_on_error(EngineOptions& options, const ErrorAction& action,
                                     const Length& max_failures, const Value::Entry& entry,
                                     Diagnostics& diagnostics);

}  // namespace millrace::inline v1
