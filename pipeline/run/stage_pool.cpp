// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/stage_pool.hpp"

#include <limits>
#include <utility>

#include "run/cpu_share.hpp"
#include "run/order.hpp"
#include "run/pool_worker.hpp"

namespace millrace::inline v1 {
namespace {

std::size_t capacity_of(const Plan& plan, const PlannedStage& planned) {
  if (planned.inputs.empty()) return planned.workers;
  return takes_in_order(plan, planned) ? std::numeric_limits<std::size_t>::max() : planned.queue;
}

}  // namespace

StagePool::StagePool(const PlannedStage& planned, std::size_t index, std::size_t rank,
                     RunState& run)
    : planned_(planned),
      index_(index),
      rank_(rank),
      run_(run),
      pool_(
          run.work,
          {.name = planned.id, .workers = planned.workers, .queue = capacity_of(run.plan, planned)},
          [this] { return take_prepared(); }) {
  for (std::size_t i = 0; i < planned.workers; ++i) states_.emplace_back(Activity::waiting_input);
}

StagePool::~StagePool() = default;

void StagePool::keep_order(OrderedSinks beyond) {
  sequencer_ = std::make_unique<Sequencer>(pool_.sender(), std::move(beyond));
  entrance_ = std::shared_ptr<Sequencer>(sequencer_.get(), [](Sequencer* s) { s->close(); });
}

void StagePool::share(std::size_t front) {
  shares_ = front;
  for (auto& state : states_) state.become(Activity::elsewhere);
}

void StagePool::prepare() {
  if (shares_) return;  // made by the stage in front
  for (std::size_t i = 0; i < planned_.workers; ++i)
    prepared_.push_back(make_worker(i, std::make_shared<CpuShare>()));
}

std::unique_ptr<PoolWorker> StagePool::make_worker(std::size_t number,
                                                   const std::shared_ptr<CpuShare>& cpu) {
  std::vector<Outlet> outlets, failures;
  for (auto* consumer : consumers_) outlets.push_back(consumer->outlet(number, cpu));
  for (auto* consumer : failure_consumers_) failures.push_back(consumer->outlet(number, cpu));
  return std::make_unique<PoolWorker>(*this, states_[number], cpu, std::move(outlets),
                                      std::move(failures));
}

Outlet StagePool::outlet(std::size_t worker, const std::shared_ptr<CpuShare>& cpu) {
  if (shares_) return {make_worker(worker, cpu), sinks_};
  if (entrance_) return {entrance_, sinks_};
  return {pool_.sender(), sinks_};
}

void StagePool::seal() {
  entrance_.reset();
  pool_.close();
}

/// For a thread of the pool, which owns its worker: what a stage makes there is destroyed there.
WorkerPool<Parcel>::Work StagePool::take_prepared() {
  std::unique_ptr<PoolWorker> worker;
  {
    const std::lock_guard lock(mutex_);
    worker = std::move(prepared_.back());
    prepared_.pop_back();
  }
  return [worker = std::move(worker)](Parcel parcel) {
    worker->handle(std::move(parcel));
    worker->rest();
  };
}

void StagePool::start() {
  if (!shares_) pool_.start();
}

void StagePool::join() {
  if (shares_) return;
  if (const auto fault = pool_.join()) run_.fail(fault->error().in(planned_.id));
}

void StagePool::discard() {
  prepared_.clear();
  (void)pool_.unstarted();
  if (sequencer_) sequencer_->discard();
}

StageState StagePool::state() const {
  StageState state;
  state.id = planned_.id;
  state.workers = shares_ ? 0 : planned_.workers;
  state.shares = shares_;
  for (const auto& worker : states_) worker.add_to(state);
  state.done = done_;
  state.failed = failed_;
  state.queue_depth = pool_.counts().depth;
  state.queue_capacity = planned_.queue;
  return state;
}

Report::StageCounts StagePool::counts() const {
  StageState all;
  for (const auto& worker : states_) worker.add_to(all);
  Report::StageCounts counts;
  static_cast<StageTimes&>(counts) = all.times;
  counts.id = planned_.id;
  counts.workers = shares_ ? 0 : planned_.workers;
  counts.shares = shares_;
  counts.done = done_;
  counts.failed = failed_;
  counts.retries = retries_;
  counts.queue_high_water = pool_.counts().high_water;
  return counts;
}

}  // namespace millrace::inline v1
