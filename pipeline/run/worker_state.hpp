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

  Clock::duration time(Activity activity) const {
    const std::lock_guard lock(mutex_);
    const bool is_present = activity == present_;
    return times_[index(activity)] + (is_present ? Clock::now() - since_ : Clock::duration());
  }

  void add_to(StageState& state) const {
    const std::lock_guard lock(mutex_);
    state.waiting_output += present_ == Activity::waiting_output;
    state.waiting_cpu += present_ == Activity::waiting_cpu;
    state.pausing += present_ == Activity::pausing;
    if (present_ == Activity::working)
      state.working.push_back({item_, Clock::now() - item_since_, share_});
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
