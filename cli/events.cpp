// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/events.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <new>

#include "cli/console.hpp"
#include "millrace/version.hpp"
#include "stages/support/file_error.hpp"

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;

constexpr int format_version = 1;
constexpr double share_for_progress = 0.5;  // the rest of the room is for what happens once
constexpr auto patience_at_the_end = 10s;
constexpr auto patience_when_forced = 100ms;

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

const char* name_of(Ending ending) {
  switch (ending) {
    case Ending::done:
      return "done";
    case Ending::skipped:
      return "skipped";
    case Ending::cancelled:
      return "cancelled";
    case Ending::failed:
      return "failed";
  }
  return "";
}

const char* name_of(ErrorKind kind) {
  constexpr const char* names[] = {"usage",    "config",    "input",  "transient",
                                   "resource", "cancelled", "plugin", "internal"};
  return names[static_cast<int>(kind)];
}

JsonObject& add(JsonObject& to, const StageTimes& times) {
  return to.number("busy_seconds", seconds(times.busy))
      .number("waiting_input_seconds", seconds(times.waiting_input))
      .number("waiting_output_seconds", seconds(times.waiting_output))
      .number("waiting_cpu_seconds", seconds(times.waiting_cpu))
      .number("pausing_seconds", seconds(times.pausing));
}

/// Of a snapshot or a report.
template <class Counts>
JsonObject& add_counts(JsonObject& to, const Counts& counts) {
  return to.number("inputs", counts.inputs)
      .number("done", counts.done)
      .number("skipped", counts.skipped)
      .number("failed", counts.failed)
      .number("cancelled", counts.cancelled);
}

JsonObject& add(JsonObject& to, const ItemEnd& end) {
  to.name("item", end.item).text("status", name_of(end.ending));
  to.number("seconds", seconds(end.elapsed));
  if (end.stage.empty()) return to;
  return to.text("slowest_stage", end.stage).number("slowest_stage_seconds", seconds(end.worked));
}

std::string planned(const Plan& plan, const PlannedStage& stage) {
  JsonObject json;
  json.text("id", stage.id).text("stage", stage.name).number("workers", stage.workers);
  const auto id = [&](std::size_t input) { return json_text(plan.stages[input].id); };
  return json.json("from", json_list(stage.inputs, id)).done();
}

std::string present(const StageState& stage) {
  JsonObject json;
  json.text("id", stage.id).number("done", stage.done).number("failed", stage.failed);
  json.number("working", stage.working.size()).number("queued", stage.queue_depth);
  return add(json, stage.times).done();
}

std::string past(const Report::StageCounts& stage) {
  JsonObject json;
  json.text("id", stage.id).number("done", stage.done).number("failed", stage.failed);
  json.number("retries", stage.retries).number("most_queued", stage.queue_high_water);
  return add(json, stage).done();
}

std::string slow(const ItemEnd& end) {
  JsonObject json;
  return add(json, end).done();
}

}  // namespace

Descriptor open_events(const std::string& to) {
  int number = -1;
  const auto* const last = to.data() + to.size();
  const auto [end, error] = std::from_chars(to.data(), last, number);
  const bool is_number = error == std::errc() && end == last && number >= 0;
  if (is_number && number == STDERR_FILENO)
    throw Error(ErrorKind::usage,
                "--events 2: standard error is for messages; write --events 3 3>FILE, or a file");
  Descriptor descriptor(
      is_number ? ::fcntl(number, F_DUPFD_CLOEXEC, 3)
                : ::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666));
  if (!descriptor) throw Error(ErrorKind::usage, "--events " + to + ": " + reason_of(errno));
  return descriptor;
}

EventLog::EventLog(Descriptor to, const Plan& plan) : plan_(plan), writer_(std::move(to)) {}

JsonObject EventLog::event(const char* name) const {
  JsonObject json;
  json.text("event", name).number("time", seconds(Context::Clock::now() - start_));
  return json;
}

void EventLog::put(const JsonObject& event) {
  if (const auto count = untold_.exchange(0); count > 0)
    if (!writer_.put(this->event("left_out").number("count", count).done())) untold_ += count;
  if (!writer_.put(event.done())) lose();
}

void EventLog::lose() noexcept {
  ++untold_;
  ++lost_;
}

void EventLog::started() {
  auto json = event("run_started");
  json.number("version", format_version).text("millrace", version());
  json.name("pipeline", plan_.file).text("name", plan_.name);
  const auto stage = [&](const PlannedStage& one) { return planned(plan_, one); };
  put(json.json("stages", json_list(plan_.stages, stage)));
}

void EventLog::ended(const ItemEnd& end) noexcept {
  try {
    auto json = event("item");
    put(add(json, end));
  } catch (const std::bad_alloc&) {
    lose();
  }
}

void EventLog::tell(const char* name, const Failure& what) noexcept {
  try {
    auto json = event(name);
    json.name("item", what.item).text("stage", what.stage).name("reason", what.message);
    if (name == std::string_view("failure")) json.text("kind", name_of(what.kind));
    put(json);
  } catch (const std::bad_alloc&) {
    lose();
  }
}

void EventLog::progress(const Snapshot& now, const Pace& pace) {
  auto json = event("progress");
  add_counts(json, now);
  if (const auto rate = pace.per_second()) json.number("per_second", *rate);
  if (const auto left = pace.left()) json.number("seconds_left", seconds(*left));
  json.json("stages", json_list(now.stages, present));
  (void)writer_.put(json.done(), share_for_progress);  // the next one says all of it again
}

void EventLog::end(const Report& report, int status) {
  auto json = event("run_ended");
  json.number("status", status);
  add_counts(json, report).number("seconds", seconds(report.elapsed));
  json.truth("stopped_by_on_error", report.stopped_by_on_error);
  if (!report.gave_up.empty()) json.name("error", report.gave_up);
  json.json("stages", json_list(report.stages, past));
  put(json.json("slowest", json_list(report.slowest, slow)));
  writer_.end(patience_at_the_end);
}

void EventLog::end(const Snapshot& last, int status, const std::string& error) {
  auto json = event("run_ended");
  json.number("status", status);
  put(add_counts(json, last).number("seconds", seconds(last.time)).name("error", error));
  writer_.end(patience_at_the_end);
}

void EventLog::force(const Snapshot& last, int status) {
  auto json = event("run_ended");
  json.number("status", status);
  put(add_counts(json, last).number("seconds", seconds(last.time)).text("error", "forced to end"));
  writer_.end(patience_when_forced);
}

std::optional<std::string> EventLog::complaint() {
  const int error = writer_.broken();
  if (has_complained_ || (error == 0 && !has_lost())) return std::nullopt;
  has_complained_ = true;
  if (error == 0) return "the reader of the events is too slow: some are left out";
  return "the events cannot be written any more: " + reason_of(error);
}

}  // namespace millrace::cli
