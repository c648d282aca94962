// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/stage_pool.hpp"

#include <memory>

#include "run/pool_worker.hpp"

namespace millrace::inline v1 {

StagePool::StagePool(const PlannedStage& planned, std::size_t index, std::size_t rank,
                     RunState& run)
    : planned_(planned),
      index_(index),
      rank_(rank),
      run_(run),
      input_(planned.inputs.empty() ? planned.workers : planned.queue) {
  counts_.id = planned.id;
}

void StagePool::start(Threads& threads) {
  for (std::size_t i = 0; i < planned_.workers; ++i) {
    auto worker = std::make_shared<PoolWorker>(*this, input_.receiver(), outputs_);
    try {
      // The thread holds the worker's last reference: what a stage made there is destroyed there.
      threads.start(planned_.id, [worker = std::move(worker)] { worker->serve(); });
    } catch (const Error& error) {
      throw error.in(planned_.id);
    }
  }
  outputs_.clear();
}

void StagePool::discard() const {
  const auto left = input_.receiver();
  while (left.try_pop()) {
  }
}

void StagePool::add(std::size_t done, std::size_t failed, Context::Clock::duration busy) {
  const std::lock_guard lock(mutex_);
  counts_.done += done;
  counts_.failed += failed;
  counts_.busy += busy;
}

Report::StageCounts StagePool::counts() const {
  const std::lock_guard lock(mutex_);
  Report::StageCounts counts = counts_;
  counts.queue_high_water = input_.counts().high_water;
  return counts;
}

}  // namespace millrace::inline v1
