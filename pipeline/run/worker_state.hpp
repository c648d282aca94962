// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "millrace/progress.hpp"

namespace millrace::inline v1 {

/// What a worker is doing. `elsewhere`: its thread works for a stage that it is fused with.
enum class Activity { elsewhere, waiting_input, waiting_cpu, pausing, working, waiting_output };

/// What one worker is doing and how long it has done what. [written by the worker, read by any]
class WorkerState {
 public:
  using Clock = Context::Clock;

  explicit WorkerState(Activity first) : present_(first) {}

  /// Goes on to another activity; tells the one before.
  Activity become(Activity next) noexcept {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    times_[index(present_)] += now - since_;
    since_ = now;
    return std::exchange(present_, next);
  }

  /// Begins an item.
  void begin(const std::string& item) {
    const std::lock_guard lock(mutex_);
    item_ = item;
    item_since_ = Clock::now();
    share_.reset();
  }

  /// How much of the item is done.
  void progress(double share) {
    const std::lock_guard lock(mutex_);
    share_ = share;
  }

  /// The time spent working until the last change. [the worker]
  Clock::duration worked() const noexcept { return times_[index(Activity::working)]; }

  void add_to(StageState& state) const {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    state.waiting_output += present_ == Activity::waiting_output;
    state.waiting_cpu += present_ == Activity::waiting_cpu;
    state.pausing += present_ == Activity::pausing;
    if (present_ == Activity::working) state.working.push_back({item_, now - item_since_, share_});
    const auto time = [&](Activity activity) {
      return times_[index(activity)] + (activity == present_ ? now - since_ : Clock::duration());
    };
    state.times.busy += time(Activity::working);
    state.times.waiting_input += time(Activity::waiting_input);
    state.times.waiting_output += time(Activity::waiting_output);
    state.times.waiting_cpu += time(Activity::waiting_cpu);
    state.times.pausing += time(Activity::pausing);
  }

 private:
  static std::size_t index(Activity activity) noexcept {
    return static_cast<std::size_t>(activity);
  }

  mutable std::mutex mutex_;
  Activity present_;
  Clock::time_point since_ = Clock::now();
  std::array<Clock::duration, 6> times_{};
  std::string item_;
  Clock::time_point item_since_{};
  std::optional<double> share_;
};

/// While it lives the worker does something else; then again what it did before.
class Interlude {
 public:
  Interlude(WorkerState& state, Activity activity)
      : state_(state), before_(state.become(activity)) {}
  ~Interlude() { state_.become(before_); }
  Interlude(const Interlude&) = delete;
  Interlude& operator=(const Interlude&) = delete;

 private:
  WorkerState& state_;
  const Activity before_;
};

}  // namespace millrace::inline v1
