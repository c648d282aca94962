// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "millrace/stage.hpp"
#include "millrace/value.hpp"

namespace millrace::inline v1 {

class Catalogue;

/// A change of the file's text that mends a mistake.
struct Fix {
  Position where;
  int length = 0;    ///< Of what is replaced, in bytes of one line; 0: only put in.
  std::string text;  ///< One line or more.
};

/// A complaint about a pipeline file.
struct Diagnostic {
  enum class Severity { error, warning };
  Severity severity = Severity::error;
  std::string code;  ///< "unknown-stage": the kind of mistake; stays the same between versions.
  std::string file;
  Position where;
  int length = 1;          ///< Of the marked text, in bytes.
  std::string path;        ///< "stages[2].resize.width", counted from 0; may be empty.
  std::string message;     ///< "there is no stage 'resise'"
  std::string hint;        ///< "did you mean 'resize'?"; may be empty.
  std::optional<Fix> fix;  ///< Where one change is sure to be what was meant.
};

/// `file:line:col: error: message [code]`, the line with a caret below, the path, the hint, and the
/// line as it should be. `text` is the file's content. `colour`: with a terminal's escapes.
std::string format(const Diagnostic& diagnostic, const std::string& text, bool colour = false);

/// What happens to the rest when an item fails.
struct OnError {
  enum class Action { carry_on, stop, limit };
  Action action = Action::carry_on;
  Length max_failures;  ///< For limit: a count, or a percentage of the items.
};

/// Trying again what failed for a passing reason (ErrorKind::transient). Before each further
/// attempt is a wait, at first of `first_wait`, then twice as long as the last, never longer than
/// `longest_wait`; a random part of it, at least half, is waited.
struct Retry {
  std::size_t attempts = 1;  ///< In all.
  Duration first_wait = std::chrono::seconds(1);
  Duration longest_wait = std::chrono::seconds(30);
};

/// How many items may begin in a time.
struct Rate {
  double per_second = 1;
};

/// Working in processes of its own, one for each worker, so that a crash, a hang or too much memory
/// fails one item alone.
struct Isolate {
  std::size_t crashes = 10;             ///< After so many in all, the run stops.
  std::optional<std::uint64_t> memory;  ///< Bytes that each process may take; none: no limit.
};

enum class Order {
  any,       ///< A sink takes what is ready.
  preserve,  ///< A sink takes the items, and the pages of each, in the sources' order.
};

struct RunSettings {
  OnError on_error;
  std::optional<std::size_t> in_flight;  ///< Source items under way at once; none: by the plan.
  /// Bytes that the items under way may take together; none: half of what the process may use.
  std::optional<std::uint64_t> memory;
  Order order = Order::any;
  Duration shutdown_timeout = std::chrono::seconds(30);
  bool fuse = true;  ///< Adjacent CPU-bound stages may share workers, with no queue between them.
};

/// Where a setting is written, and the variables in its value.
struct Provenance {
  Position where;
  std::vector<VariableUse> uses;
};

/// Of settings, by name; one that is not there has its default.
using Provenances = std::map<std::string, Provenance>;

/// A stage of a checked pipeline.
struct PlannedStage {
  std::string id;         ///< Unique; the stage's name, with a number where that is taken.
  std::string name;       ///< In the catalogue.
  bool inserted = false;  ///< A converter that the file does not name.
  Position where;
  Provenances options;      ///< Of a converter: those that its writer lends it.
  Provenances engine_keys;  ///< What stands beside its name.
  std::unique_ptr<Stage> stage;
  std::vector<std::size_t> inputs;   ///< Indices of the stages it reads from.
  std::vector<std::size_t> outputs;  ///< Indices of the stages that read from it.
  std::size_t workers = 1;
  std::size_t queue = 2;            ///< Capacity of the channel in front; unused for a source.
  std::optional<OnError> on_error;  ///< Overrides the run's.
  std::optional<Duration> timeout;  ///< For one item in this stage, each attempt anew.
  Retry retry;
  std::optional<Rate> rate;  ///< Of items, and of attempts, that begin here.
  std::optional<Isolate> isolate;
  std::string plugin;  ///< The library that the stage comes from; empty: built in.
  Demand downstream;   ///< What the stage was told by accept().
  /// The file asks for a queue or workers of its own: never on the workers of another stage.
  bool own_pool = false;
  /// Its items are the inputs that failed at one of its `inputs`, opened again by their source.
  /// It is none of their `outputs`, but of their `failures`.
  bool takes_failures = false;
  std::vector<std::size_t> failures;  ///< Indices of the stages that take what fails here.
};

/// A checked pipeline: a graph without cycles, in an order in which every stage comes after those
/// that it reads from.
struct Plan {
  std::string name;
  std::string file;
  RunSettings run;
  Provenances run_keys;
  std::map<std::string, std::string> vars;
  std::vector<PlannedStage> stages;
};

struct LoadResult {
  std::optional<Plan> plan;             ///< None when there is an error.
  std::vector<Diagnostic> diagnostics;  ///< All of them, by position.
};

/// Reads a pipeline from YAML. `file` is what messages call it; `sets` override its `vars`.
LoadResult load_pipeline(const std::string& yaml, const std::string& file,
                         const std::map<std::string, std::string>& sets = {});
/// The same with the stages of another catalogue than the program's.
LoadResult load_pipeline(const std::string& yaml, const std::string& file,
                         const std::map<std::string, std::string>& sets,
                         const Catalogue& catalogue);

}  // namespace millrace::inline v1
