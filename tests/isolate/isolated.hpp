// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "config/prototypes.hpp"
#include "isolate/isolation.hpp"
#include "millrace/plugin.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"

namespace millrace_test {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Stages of the catalogue and of the fixture's plugin, which their processes find as well.
class Stages {
 public:
  Stages() {
    ::setenv("MILLRACE_PLUGIN_PATH", MILLRACE_ISOLATE_FOLDER, 1);
    load_manifests(plugins_);
  }
  ~Stages() { ::unsetenv("MILLRACE_PLUGIN_PATH"); }
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;

  /// `settings` are YAML scalars; a list of one, where the option is a list.
  PlannedStage planned(const std::string& name, const Settings& settings = {}) const {
    const auto* entry = plugins_.find(name);
    if (!entry) entry = Catalogue::instance().find(name);
    REQUIRE(entry);
    auto made = make_stage(*entry);
    for (const auto& [option, value] : settings)
      REQUIRE_FALSE(made.options.find(option)->assign(Value::scalar(value)));
    PlannedStage planned;
    planned.id = planned.name = name;
    planned.plugin = entry->plugin;
    planned.stage = std::move(made.stage);
    planned.isolate.emplace();
    return planned;
  }

  /// Adds one to a plan, as add() does.
  std::size_t add(Plan& plan, const std::string& name, const Settings& settings,
                  std::vector<std::size_t> inputs, std::size_t workers = 1) const {
    auto made = planned(name, settings);
    const auto index =
        millrace_test::add(plan, name, std::move(made.stage), std::move(inputs), workers);
    plan.stages[index].plugin = made.plugin;
    plan.stages[index].isolate.emplace();
    return index;
  }

 private:
  Catalogue plugins_;
};

/// What a worker gives for an item, with all that it says.
struct Given {
  std::vector<std::pair<Payload, std::optional<std::uint32_t>>> made;
  std::vector<std::string> warnings;
  std::optional<std::string> skipped;
};

inline Given outcome_of(StageWorker& worker, Payload payload,
                        Origin origin = {"a.jpg", {}, 0, {}}) {
  ItemContext context(Context(), std::move(origin));
  Given outcome;
  worker.work(context, std::move(payload), [&](Payload made, std::optional<std::uint32_t> page) {
    outcome.made.emplace_back(std::move(made), page);
  });
  outcome.warnings = context.warnings();
  outcome.skipped = context.skipped();
  return outcome;
}

/// A worker in a process of its own, outside of any run.
class Apart {
 public:
  explicit Apart(PlannedStage planned)
      : planned_(std::move(planned)),
        isolation_(planned_, Context(),
                   {[this](const Error& error) { failure = error.what(); },
                    [this](const std::string& reason) { failure = reason; }}),
        worker_(isolation_.make_worker()) {}

  StageWorker& worker() { return *worker_; }
  Given run(Payload payload) { return outcome_of(*worker_, std::move(payload)); }
  Payload one(Payload payload) { return std::move(run(std::move(payload)).made.at(0).first); }

  std::string failure;

 private:
  PlannedStage planned_;
  Isolation isolation_;
  std::unique_ptr<StageWorker> worker_;
};

/// What of other processes is still here: children of this one, and their memory.
inline std::string remains() {
  std::ostringstream text;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    text << std::ifstream(task.path() / "children").rdbuf();
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("memfd:millrace") != line.npos) text << line << "\n";
  return text.str();
}

}  // namespace millrace_test
