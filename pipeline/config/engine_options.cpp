// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/engine_options.hpp"

namespace millrace::inline v1 {
namespace {

constexpr double longest_time = 86400;

void declare_on_error(EngineOptions& options, ErrorAction& action, Length& max_failures,
                      std::string summary) {
  using Action = OnError::Action;
  options.plain.add<ErrorAction>("on_error", action,
                                 {{"continue", Action::carry_on, "The others go on."},
                                  {"stop", Action::stop, "The run ends."}},
                                 std::move(summary));
  options.inside["on_error"]
      .add("max_failures", max_failures,
           "The run ends after more: a count, or a percentage of the items.")
      .range(0, 1e9)
      .required()
      .example("5%");
}

}  // namespace

RunOptions::RunOptions() {
  auto& o = declared.plain;
  o.add("memory", memory,
        "What the items under way may take together, of what this machine or container has; auto "
        "is half of it.");
  o.add("in_flight", in_flight, "How many inputs may be under way at once; auto: by the plan.")
      .range(1, 1000000);
  o.add<Order>("order", order,
               {{"any", Order::any, "A sink takes what is ready."},
                {"preserve", Order::preserve, "A sink takes the items in the sources' order."}},
               "The order in which the items reach the sinks.");
  declare_on_error(declared, on_error, max_failures, "What an input that fails does to the rest.");
  o.add("shutdown_timeout", shutdown_timeout, "How long a run may take to end after a signal.")
      .range(0.001, longest_time)
      .unit("seconds");
}

ItemOptions::ItemOptions() {
  auto& o = declared.plain;
  o.add("id", id, "A name for `from`; without one it is the stage's name.");
  o.add("from", from,
        "Where its items come from, if not from the stage before; \"*.failed\" and ID.failed are "
        "inputs that failed.");
  o.add("workers", workers,
        "How many items at once; unless set one for each CPU, more for a stage that waits.");
  o.add("queue", queue,
        "How many items may wait in front of it, 0 to hand every one over directly; unless set "
        "twice its workers.")
      .range(0, 65536);
  o.add("timeout", timeout, "The longest that one item may take here, each attempt anew: 30s, 2m.")
      .range(0.001, longest_time)
      .unit("seconds");
  o.add("retry", attempts, "How often to try, in all, what fails for a passing reason.")
      .range(1, 100);
  auto& retry = declared.inside["retry"];
  retry.add("attempts", attempts, "How often to try, in all.")
      .range(1, 100)
      .required()
      .example("3");
  retry.add(
      "backoff", backoff,
      "The wait before another attempt, such as 2s, or the first and the longest, 1s..30s; each is "
      "twice the one before.");
  o.add("rate", rate, "How many items, and attempts, may begin in a time: 20/s, 90/min, 100/h.");
  declare_on_error(declared, on_error, max_failures,
                   "What a failure here does to the rest, if not what `run` says.");
  o.add<std::optional<As>>("isolate", isolate,
                           {{"process", As::process, "Each worker in a process of its own."}},
                           "What a crash, a hang or too much memory is kept in.");
  auto& limits = declared.inside["isolate"];
  limits.add("memory", memory, "What each process may take; unless set there is no limit.");
  limits.add("crashes", crashes, "After so many in all the run stops.").range(1, 1000000);
}

}  // namespace millrace::inline v1
