// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/live/view.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto shortest_look = 200ms;    // shorter ones say nothing of a rate
constexpr double busy_enough = 0.5;      // for a bottleneck
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
  /// The share of its workers' time in which nothing but itself held it up.
  double pressure(std::size_t stage) const {
    const auto own = [](const StageTimes& times) {
      return times.busy + times.waiting_cpu + times.pausing;
    };
    return share(stage, own(at(stage).times) - own(earlier(stage).times));
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

/// First the workers that are held up by nobody else, then who among them takes most of their time.
std::optional<std::size_t> bottleneck(const Interval& interval) {
  if (interval.size() < 2 || !interval.is_long_enough()) return std::nullopt;
  std::vector<double> pressures(interval.size());
  const auto& stages = interval.stages();
  for (std::size_t i = 0; i < interval.size(); ++i)
    pressures[first_of(stages, i)] += interval.pressure(i);
  const auto score = [&](std::size_t i) {
    return stages[i].shares ? 0.0 : pressures[i] + weight_of_queue * fill(stages[i]);
  };
  std::size_t worst = 0;
  for (std::size_t i = 1; i < interval.size(); ++i)
    if (score(i) > score(worst)) worst = i;
  if (pressures[worst] < busy_enough) return std::nullopt;
  std::size_t most = worst;
  for (std::size_t i = 0; i < interval.size(); ++i)
    if (first_of(stages, i) == worst && interval.pressure(i) > interval.pressure(most)) most = i;
  return most;
}

StageRow row_of(const Interval& interval, std::size_t stage) {
  const auto& state = interval.at(stage);
  StageRow row;
  row.name = state.id;
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
  constexpr double least_seconds = 2;
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
