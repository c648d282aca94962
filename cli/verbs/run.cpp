// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/plan/json.hpp"
#include "cli/plan/preview.hpp"
#include "cli/run_plan.hpp"
#include "cli/verb.hpp"
#include "millrace/error.hpp"

namespace millrace::cli {
namespace {

struct Run final : Verb {
  PipelineArguments pipeline;
  RunOutput output;
  bool no_fuse = false;
  bool dry_run = false;

  void arguments(Arguments& a) override {
    pipeline.declare(a);
    output.declare(a);
    a.flag("--no-fuse", no_fuse,
           "Give every stage its own workers, to see what sharing them gains");
    a.flag("--dry-run", dry_run, "Show what would be read and written, and touch no file");
  }

  int run() override {
    auto plan = load(pipeline);
    if (!plan) return Exit::wrong_usage;
    if (no_fuse) plan->run.fuse = false;
    if (dry_run && output.events)
      throw Error(ErrorKind::usage, "--dry-run has no events; with --json it shows the plan");
    if (dry_run && output.json) return show_json(*plan);
    if (dry_run) return show_preview(*plan, output.quiet);
    return run_plan(*plan, output);
  }
};

const RegisterVerb<Run> registered{"run", Verbs::Group::work, "Run a pipeline",
                                   "millrace run thumbnails --set in=photos"};

}  // namespace
}  // namespace millrace::cli
