// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/run_plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "cli/events.hpp"
#include "cli/exit_status.hpp"
#include "cli/live/live.hpp"
#include "cli/ready.hpp"
#include "cli/run_watch.hpp"
#include "cli/summary.hpp"
#include "millrace/run.hpp"

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t names_at_a_terminal = 10;
constexpr Duration worth_a_table = 5s;

std::string noun_of(const Plan& plan) {
  const auto other = [](const PlannedStage& stage) {
    return stage.stage->takes().empty() && stage.name != "files";
  };
  return std::ranges::any_of(plan.stages, other) ? "item" : "file";
}

int status_of(const Report& report, int signal) {
  if (signal != 0) return 128 + signal;
  if (report.stopped_by_on_error || !report.gave_up.empty()) return Exit::stopped;
  return report.failed > 0 ? Exit::some_failed : Exit::all_done;
}

/// None where no events are asked for.
Descriptor events_of(const RunOutput& output) {
  if (output.json && output.events)
    throw Error(ErrorKind::usage, "--json is --events 1: one of them, please");
  return output.json || output.events ? open_events(output.events.value_or("1")) : Descriptor();
}

bool are_events_at(const RunOutput& output, int stream) {
  return output.json ? stream == STDOUT_FILENO : output.events == std::to_string(stream);
}

Showing showing_of(const RunOutput& output) {
  if (output.quiet || output.progress == "none") return Showing::nothing;
  // Events on the same screen would come in between the lines of a block.
  const bool is_disturbed = are_events_at(output, STDOUT_FILENO) && ::isatty(STDOUT_FILENO);
  const bool has_block = output.progress == "auto" && !is_disturbed;
  return has_block && Terminal::is_one(STDERR_FILENO) ? Showing::block : Showing::lines;
}

/// Tells each of them, in the words of the verb that is run.
struct Audience final : RunObserver {
  Audience(const Plan& plan, std::vector<RunObserver*> all)
      : pipeline(plan.file), observers(std::move(all)) {}
  void ended(const ItemEnd& end) noexcept override {
    for (auto* observer : observers) observer->ended(end);
  }
  void failed(const Failure& failure) noexcept override { tell(failure, &RunObserver::failed); }
  void skipped(const Failure& skip) noexcept override { tell(skip, &RunObserver::skipped); }
  void warned(const Failure& warning) noexcept override { tell(warning, &RunObserver::warned); }
  void tell(const Failure& what, void (RunObserver::*how)(const Failure&) noexcept) const noexcept {
    const auto pass = [&](const Failure& said) {
      for (auto* observer : observers) (observer->*how)(said);
    };
    Failure said;
    try {
      said = what;
      said.message = worded(pipeline, std::move(said.message));
    } catch (const std::bad_alloc&) {
      return pass(what);
    }
    pass(said);
  }
  const std::string& pipeline;
  const std::vector<RunObserver*> observers;
};

void reword(Report& report, const std::string& pipeline) {
  for (auto* failures : {&report.failures, &report.warnings})
    for (auto& failure : *failures) failure.message = worded(pipeline, std::move(failure.message));
}

/// A run with all who watch it.
class WatchedRun {
 public:
  WatchedRun(const Plan& plan, const RunOutput& output, Descriptor events)
      : plan_(plan),
        output_(output),
        noun_(noun_of(plan)),
        showing_(showing_of(output)),
        events_(events ? std::make_unique<EventLog>(std::move(events), plan) : nullptr),
        live_(progress_, showing_, noun_) {}

  int run() {
    if (events_) events_->started();
    RunWatch watch(
        shutdown_, progress_, live_,
        {.shutdown_timeout = plan_.run.shutdown_timeout, .noun = noun_, .events = events_.get()});
    std::vector<RunObserver*> observers;
    if (showing_ != Showing::nothing) observers.push_back(&live_.observer());
    if (events_) observers.push_back(events_.get());
    Audience audience(plan_, observers);
    try {
      auto report =
          millrace::run(plan_, shutdown_, &progress_, observers.empty() ? nullptr : &audience);
      watch.stop();
      reword(report, plan_.file);
      const int status = status_of(report, watch.signal());
      print(report, watch.told());
      if (events_) events_->end(report, status);
      return with_events(status);
    } catch (const Error& error) {
      watch.stop();
      const int status = watch.signal() != 0 ? 128 + watch.signal() : cli::status_of(error);
      if (error.kind() != ErrorKind::cancelled || watch.signal() == 0)
        say_lines(plan_.file + ": " + worded(plan_.file, error.what()));
      if (events_) events_->end(snapshot_of(progress_, {}), status, error.what());
      return with_events(status);
    }
  }

 private:
  void print(const Report& report, bool told) const {
    const int stream = are_events_at(output_, STDOUT_FILENO) ? STDERR_FILENO : STDOUT_FILENO;
    const bool at_terminal = ::isatty(stream) != 0;
    Telling telling{noun_, output_.quiet, output_.verbose};
    telling.table = telling.table || (at_terminal && report.elapsed >= worth_a_table);
    if (at_terminal && told) telling.names = names_at_a_terminal;
    if (!output_.quiet) print_groups(std::cerr, "warning", report.warnings, telling);
    print_summary(stream == STDERR_FILENO ? std::cerr : std::cout, report, telling);
    std::cout.flush();
  }

  /// What was to be told must have arrived.
  int with_events(int status) {
    if (!events_ || !events_->has_lost()) return status;
    if (const auto complaint = events_->complaint()) say("millrace: " + *complaint);
    return status == Exit::all_done ? Exit::some_failed : status;
  }

  const Plan& plan_;
  const RunOutput& output_;
  const std::string noun_;
  const Showing showing_;
  const Shutdown shutdown_;
  Progress progress_;
  std::unique_ptr<EventLog> events_;
  Live live_;
};

}  // namespace

void RunOutput::declare(Arguments& a) {
  a.flag("--quiet,-q", quiet, "Say nothing but what failed");
  a.flag("--verbose,-v", verbose, "A row for each stage at the end");
  a.option("--progress", progress, "HOW", "What is shown meanwhile")
      .choices({"auto", "lines", "none"});
  a.flag("--json", json, "Events as JSON on standard output, and the summary on standard error");
  a.option("--events", events, "FILE", "The same events to a file, or an open descriptor's number")
      .completes(Argument::Completion::file);
}

int run_plan(const Plan& plan, const RunOutput& output) {
  auto events = events_of(output);  // a pipe by name waits here for its reader: Ctrl-C ends it
  block_signals();
  return WatchedRun(plan, output, std::move(events)).run();
}

}  // namespace millrace::cli
