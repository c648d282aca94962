// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/document.hpp"
#include "config/prototypes.hpp"

namespace millrace::inline v1 {

/// A stage on its way into the plan.
struct Node {
  struct Input {
    std::size_t node = 0;
    const Value* where = nullptr;  ///< The id in `from`; null where it is the item before.
  };
  /// What `from: "ID.failed"` asks for.
  struct Failed {
    std::string written;          ///< "*.failed", "a.failed", "a.failed, b.failed".
    std::set<std::size_t> named;  ///< Empty: every stage that these items do not come to.
  };

  StageItem item;  ///< Of an inserted stage: the place of the one it was put in for.
  const Catalogue::Entry* entry = nullptr;  ///< Null where it is not known which stage this is.
  Demand downstream;                        ///< What accept() was told.
  Provenances options;                      ///< Those of `made` that the file gives a value.
  StageWithOptions made;                    ///< No stage where it is not known or cannot be made.
  std::string id;
  bool inserted = false;
  bool sound = true;  ///< Nothing was complained about that could change what it does.
  std::vector<const Value::Entry*> unclaimed;  ///< Options that the stage itself does not have.
  std::vector<Input> inputs;
  std::vector<std::size_t> outputs;
  bool misfed = false;           ///< It cannot use what comes; complained about.
  bool lost_input = false;       ///< It has an input of which it is not known where it comes from.
  std::optional<Failed> failed;  ///< Its items are the inputs that failed at `inputs`.
  std::vector<std::size_t> failures;  ///< Those that take what fails here.

  bool is_source() const { return made.stage && made.stage->takes().empty(); }
  bool is_sink() const { return made.stage && !made.stage->gives(); }
  /// What messages call it: the stage's name, with the id where that is another.
  std::string title() const;
};

/// The ids in use.
class Ids {
 public:
  void take(const std::string& id) { taken_.insert(id); }

  /// `name`, or `name-2` and so on: the first that is free, which is taken then.
  std::string make(const std::string& name) {
    if (taken_.insert(name).second) return name;
    int& number = last_[name];
    number = std::max(number, 1);
    std::string id;
    do id = name + "-" + std::to_string(++number);
    while (!taken_.insert(id).second);
    return id;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> last_;  // tried for a name
};

/// A pipeline as a graph while it is checked. Nodes may hold mistakes, which are complained about
/// once; later checks leave alone what only follows from them.
struct Draft {
  std::vector<Node> nodes;
  Ids ids;

  /// Fills the `outputs` and `failures` of every node from the inputs.
  void link();
  /// Finds the inputs of the nodes that take what fails: the stages that they name, with the
  /// converters put in front of those, or all stages but those behind them. Links the nodes.
  void find_failing();
  /// The sources whose items come to a node, done or failed.
  std::set<std::size_t> sources_of(std::size_t node) const;
  /// The nodes, each after those that it reads from, otherwise in the order of the file; those in
  /// or behind a cycle are left out.
  std::vector<std::size_t> order() const;
};

/// Makes the stages and gives them their options.
Draft configure(Document& document, Prototypes& prototypes, Diagnostics& diagnostics);

/// Gives the nodes their ids and inputs and checks the graph: dangling names, cycles, stages
/// without input, outputs that nobody takes.
void connect(Draft& draft, Prototypes& prototypes, Diagnostics& diagnostics);

/// Makes the stages of the nodes that take what fails: they give what the sources give.
void make_failed_inputs(Draft& draft, Diagnostics& diagnostics);

/// Checks what flows along each edge, puts in converters where the next stage takes something else,
/// and complains about options that neither a stage nor a converter put in for it has.
void convert(Draft& draft, Prototypes& prototypes, Diagnostics& diagnostics);

/// Asks each stage for its complaints, and tells each what those downstream need of it.
void negotiate(Draft& draft, Diagnostics& diagnostics);

/// Complains about items that two sinks, or one sink twice, would write to one path.
void check_outputs(const Draft& draft, Diagnostics& diagnostics);

/// Complains about workers that the run's order or the limit on open files does not allow.
void check_workers(const Draft& draft, Order order, Diagnostics& diagnostics);

/// How many workers each node has: as written, or by its load.
std::vector<std::size_t> workers_of(const Draft& draft, Order order);

}  // namespace millrace::inline v1
