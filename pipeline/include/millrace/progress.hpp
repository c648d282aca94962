// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// What the workers of a stage have spent their time on, summed over them. For a stage that works
/// on those of another it is its own part only.
struct StageTimes {
  Context::Clock::duration busy{};
  Context::Clock::duration waiting_input{};
  Context::Clock::duration waiting_output{};
  Context::Clock::duration waiting_cpu{};
  Context::Clock::duration pausing{};  ///< For the rate, and before another attempt.
};

/// What a stage of a running plan is doing now.
struct StageState {
  struct Work {
    std::string item;
    Context::Clock::duration time;  ///< It has taken so far.
    std::optional<double> share{};  ///< Of it that is done, where the stage tells.
  };

  std::string id;
  std::size_t workers = 0;         ///< What is not told below waits for input.
  std::vector<Work> working;       ///< One for each worker that works, in no order.
  std::size_t waiting_output = 0;  ///< Workers that have made something and find no room for it.
  std::size_t waiting_cpu = 0;     ///< Workers that have an item and wait for a CPU.
  std::size_t pausing = 0;         ///< Workers that wait for the rate or before another attempt.
  std::size_t done = 0, failed = 0;
  std::size_t queue_depth = 0;
  std::size_t queue_capacity = 0;
  /// The stage in front on whose workers it works, by its index; `workers` is 0 then.
  std::optional<std::size_t> shares;
  StageTimes times;  ///< So far.

  std::size_t waiting_input() const noexcept {
    return workers - working.size() - waiting_output - waiting_cpu - pausing;
  }
};

/// A line for each stage that has something to do or to wait for.
std::string describe(const std::vector<StageState>& stages);

/// How far a run is, to be looked at from another thread while it runs. `inputs` is 0 until all
/// sources are listed. [any thread, at once]
class Progress {
 public:
  std::atomic<std::size_t> inputs{0}, done{0}, skipped{0}, failed{0}, cancelled{0};

  std::size_t ended() const noexcept { return done + skipped + failed + cancelled; }

  /// Every stage, in the plan's order; none before the run and after it.
  std::vector<StageState> stages() const;

  /// For the run: where stages() gets its answer from; an empty function ends that.
  void attach(std::function<std::vector<StageState>()> look);

 private:
  mutable std::mutex mutex_;
  std::function<std::vector<StageState>()> look_;
};

/// Notices that nothing moves: a stage that hangs, a reader that is gone. Knows no clock; it is
/// shown the stages now and then. [one thread]
class StallWatch {
 public:
  explicit StallWatch(Context::Clock::duration limit) : limit_(limit) {}

  /// What to tell the user, once for each `limit` in which no item went in or out anywhere.
  std::optional<std::string> look(const std::vector<StageState>& stages,
                                  Context::Clock::time_point now);

 private:
  Context::Clock::duration limit_;
  std::vector<std::size_t> counts_;
  Context::Clock::time_point since_{};  // the last change, or what was told of none
  Context::Clock::time_point moved_{};
};

}  // namespace millrace::inline v1
