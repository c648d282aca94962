// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "millrace/run.hpp"
#include "millrace/worker_pool.hpp"
#include "run/outlet.hpp"
#include "run/run_state.hpp"
#include "run/worker_state.hpp"

namespace millrace::inline v1 {

class CpuShare;

/// A stage of a running plan: its workers, and the queue in front of them. A fused stage has
/// neither: it works on the threads of the stage in front. A stage ends, and so closes what is
/// downstream, when what is in front of it has been closed and is empty.
///
/// The order of calls: feeds() and the like for every connection; prepare() for every stage;
/// seal() for every stage; then start() from the sinks up. [one thread, but for what is said]
class StagePool {
 public:
  /// `rank`: the distance from the sinks.
  StagePool(const PlannedStage& planned, std::size_t index, std::size_t rank, RunState& run);
  ~StagePool();

  void feeds(StagePool& consumer) { consumers_.push_back(&consumer); }
  void feeds_failures(StagePool& consumer) { failure_consumers_.push_back(&consumer); }
  /// Works on the threads of the stage in front, whose index it is.
  void share(std::size_t front);
  /// Makes a sink one that keeps the order; `beyond`: those that it reaches by failing.
  void keep_order(OrderedSinks beyond);
  /// `sinks`: those that keep the order and that what comes here may reach, this one included.
  void reaches(OrderedSinks sinks) { sinks_ = std::move(sinks); }
  Sequencer* sequencer() const noexcept { return sequencer_.get(); }

  /// Makes the workers, connected to their consumers.
  void prepare();
  /// Only workers keep the consumers' inputs open from here on.
  void seal();
  void start();
  void join();
  /// Drops what was not worked on; the workers have ended.
  void discard();

  /// For what the stage in front makes in its worker of that number.
  Outlet outlet(std::size_t worker, const std::shared_ptr<CpuShare>& cpu);
  Sender<Parcel> sender() { return pool_.sender(); }

  const PlannedStage& planned() const noexcept { return planned_; }
  std::size_t index() const noexcept { return index_; }
  std::size_t rank() const noexcept { return rank_; }
  RunState& run() const noexcept { return run_; }
  const OrderedSinks& sinks() const noexcept { return sinks_; }

  // [any thread, at once]
  void count_done() noexcept { ++done_; }
  void count_failed() noexcept { ++failed_; }
  void count_retry() noexcept { ++retries_; }
  StageState state() const;
  Report::StageCounts counts() const;

 private:
  std::unique_ptr<PoolWorker> make_worker(std::size_t number, const std::shared_ptr<CpuShare>& cpu);
  WorkerPool<Parcel>::Work take_prepared();

  const PlannedStage& planned_;
  const std::size_t index_;
  const std::size_t rank_;
  RunState& run_;
  std::vector<StagePool*> consumers_, failure_consumers_;
  std::optional<std::size_t> shares_;
  OrderedSinks sinks_;
  std::unique_ptr<Sequencer> sequencer_;
  std::shared_ptr<Sequencer> entrance_;  // closes the sequencer when the last outlet is gone
  std::deque<WorkerState> states_;       // by worker
  std::atomic<std::size_t> done_ = 0, failed_ = 0, retries_ = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<PoolWorker>> prepared_;
  WorkerPool<Parcel> pool_;  // last: joined before what the workers use is gone
};

}  // namespace millrace::inline v1
