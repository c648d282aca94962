// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/events.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/utf8.hpp"
#include "millrace/version.hpp"
#include "stages/support/file_error.hpp"

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;
using Json = nlohmann::ordered_json;

constexpr int format_version = 1;
constexpr double share_for_progress = 0.5;  // the rest of the room is for what happens once
constexpr auto patience_at_the_end = 10s;
constexpr auto patience_when_forced = 100ms;

/// To the microsecond.
double seconds(Duration time) {
  return std::round(std::chrono::duration<double>(time).count() * 1e6) / 1e6;
}

std::string hex(std::string_view bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto size = read_utf8(text, at).size;
    if (size == 0) return false;
    at += size;
  }
  return true;
}

/// On one line; what is not UTF-8 becomes U+FFFD.
std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Bytes: where they are not UTF-8, a second member has them as they are.
void add_name(Json& to, const char* key, const std::string& value) {
  to[key] = value;
  if (!is_utf8(value)) to[std::string(key) + "_hex"] = hex(value);
}

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

void add(Json& to, const StageTimes& times) {
  to["busy_seconds"] = seconds(times.busy);
  to["waiting_input_seconds"] = seconds(times.waiting_input);
  to["waiting_output_seconds"] = seconds(times.waiting_output);
  to["waiting_cpu_seconds"] = seconds(times.waiting_cpu);
  to["pausing_seconds"] = seconds(times.pausing);
}

/// Of a snapshot or a report.
template <class Counts>
void add_counts(Json& to, const Counts& counts) {
  to["inputs"] = counts.inputs;
  to["done"] = counts.done;
  to["skipped"] = counts.skipped;
  to["failed"] = counts.failed;
  to["cancelled"] = counts.cancelled;
}

void add(Json& to, const ItemEnd& end) {
  add_name(to, "item", end.item);
  to["status"] = name_of(end.ending);
  to["seconds"] = seconds(end.elapsed);
  if (end.stage.empty()) return;
  to["slowest_stage"] = end.stage;
  to["slowest_stage_seconds"] = seconds(end.worked);
}

Json planned(const Plan& plan, const PlannedStage& stage) {
  Json json{{"id", stage.id}, {"stage", stage.name}, {"workers", stage.workers}};
  json["from"] = Json::array();
  for (const auto input : stage.inputs) json["from"].push_back(plan.stages[input].id);
  return json;
}

/// A list of what `fill` makes of each.
template <class Element, class Fill>
Json listed(const std::vector<Element>& elements, Fill fill) {
  Json list = Json::array();
  for (const auto& element : elements) fill(list.emplace_back(Json::object()), element);
  return list;
}

void add_present(Json& to, const StageState& stage) {
  to["id"] = stage.id;
  to["done"] = stage.done;
  to["failed"] = stage.failed;
  to["working"] = stage.working.size();
  to["queued"] = stage.queue_depth;
  add(to, stage.times);
}

void add_past(Json& to, const Report::StageCounts& stage) {
  to["id"] = stage.id;
  to["done"] = stage.done;
  to["failed"] = stage.failed;
  to["retries"] = stage.retries;
  to["most_queued"] = stage.queue_high_water;
  add(to, stage);
}

Json event(const char* name, double time) { return {{"event", name}, {"time", time}}; }

/// A pipeline or a picture, which a slip of the hand would empty. Events of an earlier run may go.
bool holds_something_else(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
    return false;
  const std::string begin = "{\"event\":";
  std::string found(begin.size(), ' ');
  std::ifstream(file, std::ios::binary).read(found.data(), static_cast<long>(found.size()));
  return found != begin;
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
  if (!is_number && holds_something_else(to))
    throw Error(ErrorKind::usage, "--events " + to +
                                      ": it is there and holds something else than events; give "
                                      "another name, or remove it");
  Descriptor descriptor(
      is_number ? ::fcntl(number, F_DUPFD_CLOEXEC, 3)
                : ::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666));
  if (!descriptor) throw Error(ErrorKind::usage, "--events " + to + ": " + reason_of(errno));
  return descriptor;
}

EventLog::EventLog(Descriptor to, const Plan& plan) : plan_(plan), writer_(std::move(to)) {}

double EventLog::time() const { return seconds(Context::Clock::now() - start_); }

/// With how many are missing before it, in one: a line so small would find room where events do
/// not.
void EventLog::put(std::string event) {
  const auto missing = untold_.exchange(0);
  if (missing > 0) {
    auto json = millrace::cli::event("left_out", time());
    json["count"] = missing;
    event = line(json) + "\n" + event;
  }
  if (writer_.put(std::move(event))) return;
  untold_ += missing;
  lose();
}

void EventLog::lose() noexcept {
  ++untold_;
  ++lost_;
}

void EventLog::started() {
  auto json = event("run_started", time());
  json["version"] = format_version;
  json["millrace"] = version();
  add_name(json, "pipeline", plan_.file);
  json["name"] = plan_.name;
  json["stages"] = Json::array();
  for (const auto& stage : plan_.stages) json["stages"].push_back(planned(plan_, stage));
  put(line(json));
}

void EventLog::ended(const ItemEnd& end) noexcept {
  try {
    auto json = event("item", time());
    add(json, end);
    put(line(json));
  } catch (const std::bad_alloc&) {
    lose();
  }
}

void EventLog::tell(const char* name, const Failure& what) noexcept {
  try {
    auto json = event(name, time());
    add_name(json, "item", what.item);
    json["stage"] = what.stage;
    add_name(json, "reason", what.message);
    if (name == std::string_view("failure")) json["kind"] = name_of(what.kind);
    put(line(json));
  } catch (const std::bad_alloc&) {
    lose();
  }
}

void EventLog::progress(const Snapshot& now, const Pace& pace) {
  auto json = event("progress", time());
  add_counts(json, now);
  if (const auto rate = pace.per_second()) json["per_second"] = *rate;
  if (const auto left = pace.left()) json["seconds_left"] = seconds(*left);
  json["stages"] = listed(now.stages, add_present);
  (void)writer_.put(line(json), share_for_progress);  // the next one says all of it again
}

void EventLog::end(const Report& report, int status) {
  auto json = event("run_ended", time());
  json["status"] = status;
  add_counts(json, report);
  json["seconds"] = seconds(report.elapsed);
  json["stopped_by_on_error"] = report.stopped_by_on_error;
  if (!report.gave_up.empty()) add_name(json, "error", report.gave_up);
  json["stages"] = listed(report.stages, add_past);
  json["slowest"] = listed(report.slowest, [](Json& to, const ItemEnd& end) { add(to, end); });
  put(line(json));
  writer_.end(patience_at_the_end);
}

void EventLog::end(const Snapshot& last, int status, const std::string& error) {
  put_end(last, status, error);
  writer_.end(patience_at_the_end);
}

void EventLog::force(const Snapshot& last, int status) {
  put_end(last, status, "forced to end");
  writer_.end(patience_when_forced);
}

void EventLog::put_end(const Snapshot& last, int status, const std::string& error) {
  auto json = event("run_ended", time());
  json["status"] = status;
  add_counts(json, last);
  json["seconds"] = seconds(last.time);
  add_name(json, "error", error);
  put(line(json));
}

std::optional<std::string> EventLog::complaint() {
  const int error = writer_.broken();
  if (has_complained_ || (error == 0 && !has_lost())) return std::nullopt;
  has_complained_ = true;
  if (error == 0) return "the reader of the events is too slow: some are left out";
  return "the events cannot be written any more: " + reason_of(error);
}

}  // namespace millrace::cli
