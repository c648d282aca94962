// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

#include "concurrency/threads.hpp"
#include "isolate/setup.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// A stage of a run whose workers each have a process of their own, which they replace when it
/// fails. [any thread, at once]
class Isolation {
 public:
  /// How it ends the run. Either is called on a worker's thread, by several at once.
  struct Stops {
    /// The stage cannot be made.
    std::function<void(const Error&)> fail;
    /// There were too many crashes; the items that have ended stay so.
    std::function<void(const std::string& reason)> give_up;
  };

  /// `planned` lives longer, `work` is the run's. Throws Error (resource).
  Isolation(const PlannedStage& planned, const Context& work, Stops stops);
  ~Isolation();

  /// A worker, which starts its process at its first item. Where that is cancelled, at the end of
  /// `timeout` and at the worker's own end the process is killed and reaped.
  std::unique_ptr<StageWorker> make_worker();

 private:
  class Worker;

  void count_crash(const Origin& origin, const Error& error);

  const PlannedStage& planned_;
  const Setup setup_;
  const Stops stops_;
  const SegmentPool::Use use_;
  const Context context_;
  std::atomic<std::size_t> crashes_ = 0;
  Descriptor cancelled_;  // readable from then on
  Threads watch_;
};

}  // namespace millrace::inline v1
