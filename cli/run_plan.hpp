// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::cli {

/// How a run tells of itself: the same for every verb that runs something.
struct RunOutput {
  bool quiet = false;
  bool verbose = false;
  std::string progress = "auto";
  bool json = false;
  std::optional<std::string> events;

  void declare(Arguments& arguments);
};

/// Runs a plan as a user sees it: signals, what is shown meanwhile, events, the summary. Messages
/// on the whole run begin with the plan's `file`. Gives the exit status; throws Error (usage) for
/// what cannot be written to. On the first thread, before any other is started.
int run_plan(const Plan& plan, const RunOutput& output);

}  // namespace millrace::cli
