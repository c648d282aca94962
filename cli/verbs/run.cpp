// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/run_watch.hpp"
#include "cli/summary.hpp"
#include "cli/verb.hpp"

namespace millrace::cli {
namespace {

std::string noun_of(const Plan& plan) {
  const auto other = [](const PlannedStage& stage) {
    return stage.stage->takes().empty() && stage.name != "files";
  };
  return std::ranges::any_of(plan.stages, other) ? "item" : "file";
}

bool has_live_line() {
  const char* const terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) && terminal && std::string_view(terminal) != "dumb";
}

/// What concerns the whole run: a setting, unless the machine or we ourselves are at fault.
int status_of(const Error& error, int signal) {
  if (signal != 0) return 128 + signal;
  switch (error.kind()) {
    case ErrorKind::resource:
    case ErrorKind::transient:
    case ErrorKind::internal:
      return Exit::some_failed;
    default:
      return Exit::wrong_usage;
  }
}

int status_of(const Report& report, int signal) {
  if (signal != 0) return 128 + signal;
  if (report.stopped_by_on_error || !report.gave_up.empty()) return Exit::stopped;
  return report.failed > 0 ? Exit::some_failed : Exit::all_done;
}

struct Run final : Verb {
  PipelineArguments pipeline;
  bool quiet = false;
  bool no_fuse = false;

  void arguments(Arguments& a) override {
    pipeline.declare(a);
    a.flag("--quiet,-q", quiet, "Say nothing but what failed");
    a.flag("--no-fuse", no_fuse,
           "Give every stage its own workers, to see what sharing them gains");
  }
  int run() override;
};

int Run::run() {
  auto plan = load(pipeline);
  if (!plan) return Exit::wrong_usage;
  if (no_fuse) plan->run.fuse = false;
  block_signals();
  const auto noun = noun_of(*plan);
  const Shutdown shutdown;
  Progress progress;
  RunWatch watch(shutdown, progress, {plan->run.shutdown_timeout, noun, !quiet && has_live_line()});
  try {
    const auto report = millrace::run(*plan, shutdown, &progress);
    watch.stop();
    for (const auto& warning : report.warnings)
      say("warning: " + warning.item + ": " + warning.stage + ": " + warning.message);
    print_summary(std::cout, report, noun, quiet);
    return status_of(report, watch.signal());
  } catch (const Error& error) {
    watch.stop();
    if (error.kind() != ErrorKind::cancelled || watch.signal() == 0)
      say_lines(pipeline.file + ": " + error.what());
    return status_of(error, watch.signal());
  }
}

const RegisterVerb<Run> registered{
    "run", Verbs::Group::work, "Run a pipeline",
    "millrace run configs/convert.yaml --set in=photos --set out=small"};

}  // namespace

}  // namespace millrace::cli
