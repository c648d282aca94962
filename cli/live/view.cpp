// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/live/view.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto shortest_look = 200ms;    // shorter ones say nothing of a rate
constexpr double busy_enough = 0.5;      // for a bottleneck
constexpr double nearly = 0.8;           // as much as the highest
constexpr double weight_of_queue = 0.1;  // decides between stages that are equally busy

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

/// The stage whose workers another one works on.
std::size_t first_of(const std::vector<StageState>& stages, std::size_t stage) {
  while (stages[stage].shares) stage = *stages[stage].shares;
  return stage;
}

/// Two looks at the same stages.
class Interval {
 public:
  Interval(const Snapshot& before, const Snapshot& now)
      : before_(before), now_(now), length_(seconds(now.time - before.time)) {}

  std::size_t size() const { return now_.stages.size(); }
  const std::vector<StageState>& stages() const { return now_.stages; }
  const StageState& at(std::size_t stage) const { return now_.stages[stage]; }
  bool is_long_enough() const { return length_ >= seconds(shortest_look); }

  double rate(std::size_t stage) const {
    const auto ended = [](const StageState& state) { return double(state.done + state.failed); };
    return std::max(0.0, ended(at(stage)) - ended(earlier(stage))) / length_;
  }
  double busy(std::size_t stage) const {
    return share(stage, at(stage).times.busy - earlier(stage).times.busy);
  }
  /// The share of its workers' time that it takes itself, pauses for its rate included.
  double work(std::size_t stage) const {
    const auto own = [](const StageTimes& times) { return times.busy + times.pausing; };
    return share(stage, own(at(stage).times) - own(earlier(stage).times));
  }
  /// The same with the time in which it waits for a CPU: no other stage holds it up.
  double pressure(std::size_t stage) const {
    return work(stage) +
           share(stage, at(stage).times.waiting_cpu - earlier(stage).times.waiting_cpu);
  }

 private:
  const StageState& earlier(std::size_t stage) const {
    static const StageState none;
    return stage < before_.stages.size() ? before_.stages[stage] : none;
  }
  double share(std::size_t stage, Duration time) const {
    const auto workers = std::max<std::size_t>(1, at(first_of(now_.stages, stage)).workers);
    return std::clamp(seconds(time) / (length_ * static_cast<double>(workers)), 0.0, 1.0);
  }

  const Snapshot& before_;
  const Snapshot& now_;
  double length_;
};

double fill(const StageState& stage) {
  if (stage.shares || stage.queue_capacity == 0) return 0;
  return std::min(
      1.0, static_cast<double>(stage.queue_depth) / static_cast<double>(stage.queue_capacity));
}

/// Among the workers that are held up by nobody else but the CPU, those who work most; and of the
/// stages that they work for, the one that takes most of it.
std::optional<std::size_t> bottleneck(const Interval& interval) {
  if (interval.size() < 2 || !interval.is_long_enough()) return std::nullopt;
  struct Pool {
    double pressure = 0, work = 0;
    std::size_t most = 0;
  };
  std::map<std::size_t, Pool> pools;  // by their first stage
  for (std::size_t i = 0; i < interval.size(); ++i) {
    auto& pool = pools.try_emplace(first_of(interval.stages(), i), Pool{0, 0, i}).first->second;
    pool.pressure += interval.pressure(i);
    pool.work += interval.work(i);
    if (interval.work(i) > interval.work(pool.most)) pool.most = i;
  }
  double highest = busy_enough;
  for (const auto& [first, pool] : pools) highest = std::max(highest, pool.pressure);
  std::optional<std::size_t> worst;
  double most_work = 0;
  for (const auto& [first, pool] : pools) {
    const double work = pool.work + weight_of_queue * fill(interval.at(first));
    if (pool.pressure < nearly * highest || pool.pressure < busy_enough || work <= most_work)
      continue;
    most_work = work;
    worst = pool.most;
  }
  return worst;
}

StageRow row_of(const Interval& interval, std::size_t stage) {
  const auto& state = interval.at(stage);
  StageRow row;
  row.name = printable(state.id);
  row.shares = state.shares.has_value();
  row.done = state.done;
  row.failed = state.failed;
  if (interval.is_long_enough()) {
    row.rate = interval.rate(stage);
    row.busy = interval.busy(stage);
  }
  row.queued = state.queue_depth;
  row.capacity = row.shares ? 0 : state.queue_capacity;
  return row;
}

}  // namespace

Snapshot snapshot_of(const Progress& progress, Duration time) {
  Snapshot now{time,
               progress.inputs,
               progress.done,
               progress.skipped,
               progress.failed,
               progress.cancelled,
               progress.stages()};
  now.inputs = std::max(now.inputs, now.ended());
  return now;
}

void Pace::add(const Snapshot& now) {
  if (now.inputs == 0) return;
  if (before_) {
    const double passed = std::max(0.0, seconds(now.time - *before_));
    // Long runs are judged by more of their past: one large item must not shake the estimate.
    const double memory = 10 + seconds(now.time) / 5;
    const double kept = std::exp(-passed / memory);
    items_ = items_ * kept + static_cast<double>(now.worked() - std::min(worked_, now.worked()));
    seconds_ = seconds_ * kept + passed;
  }
  before_ = now.time;
  worked_ = now.worked();
  remaining_ = now.inputs - std::min(now.inputs, now.ended());
}

std::optional<double> Pace::per_second() const {
  constexpr double least_seconds = 1;
  constexpr std::size_t least_items = 3;
  if (seconds_ < least_seconds || worked_ < least_items || items_ <= 0) return std::nullopt;
  return items_ / seconds_;
}

std::optional<Duration> Pace::left() const {
  constexpr double least_seconds = 1.5;
  constexpr double most_seconds = 1e8;  // three years
  const auto rate = per_second();
  if (!rate || seconds_ < least_seconds || remaining_ == 0) return std::nullopt;
  const double left = std::min(most_seconds, static_cast<double>(remaining_) / *rate);
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(left));
}

std::vector<StageRow> rows_of(const Snapshot& before, const Snapshot& now) {
  const Interval interval(before, now);
  const auto worst = bottleneck(interval);
  std::vector<StageRow> rows;
  for (std::size_t first = 0; first < interval.size(); ++first) {
    if (now.stages[first].shares) continue;
    for (std::size_t i = first; i < interval.size(); ++i) {
      if (first_of(now.stages, i) != first) continue;
      rows.push_back(row_of(interval, i));
      rows.back().is_bottleneck = worst == i;
    }
  }
  return rows;
}

}  // namespace millrace::cli
