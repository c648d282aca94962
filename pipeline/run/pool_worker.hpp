// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "millrace/backoff.hpp"
#include "run/cpu_share.hpp"
#include "run/outlet.hpp"
#include "run/stage_pool.hpp"

namespace millrace::inline v1 {

/// One worker of a stage: takes an item, works on it, hands on what it gives. [one thread]
class PoolWorker {
 public:
  /// `cpu` is shared by the workers of fused stages on one thread.
  PoolWorker(StagePool& pool, WorkerState& state, std::shared_ptr<CpuShare> cpu,
             std::vector<Outlet> outlets, std::vector<Outlet> failures);
  ~PoolWorker();
  PoolWorker(const PoolWorker&) = delete;
  PoolWorker& operator=(const PoolWorker&) = delete;

  /// Works on one item to its end here. What the stage throws is the item's failure; what else goes
  /// wrong ends the run.
  void handle(Parcel parcel) noexcept;

  /// Lets others have the CPU; after handle(), unless this worker was called by one that goes on.
  void rest() noexcept { cpu_->let_go(); }

 private:
  using Clock = Context::Clock;
  struct Task;

  void process(Parcel parcel);
  std::optional<Error> try_all(Task& task, Payload payload);
  std::optional<Error> try_once(Task& task, Payload payload);
  bool is_over(const Context& context) const;
  bool begin(const Task& task);
  bool take_cpu(const Context& context);
  bool pause(const Context& context, Clock::duration time);
  const PlannedStage& settings(const Token& token) const;
  StageWorker* stage_worker(std::size_t source);

  void emit(Task& task, Payload payload, std::optional<std::uint32_t> page);
  void hand_on(Task& task, PoolWorker& fused, Parcel parcel);
  using Full = std::list<std::pair<const Outlet*, Parcel>>;
  void wait_for_room(const Context& context, Full parcels);

  void warn(const Task& task);
  void conclude(Task& task);
  void fail(Task& task, const Error& error);
  void set_aside(Token& token);
  void write(Journal::Chapter chapter, const Task& task, const Error& error);

  StagePool& pool_;
  RunState& run_;
  const PlannedStage& planned_;
  WorkerState& state_;
  const std::shared_ptr<CpuShare> cpu_;
  const bool needs_cpu_;
  const bool shares_pixels_;
  const std::vector<Outlet> outlets_;
  const std::vector<Outlet> failures_;
  // Made at the first item: it may be expensive. By source where failed inputs are opened again.
  std::map<std::size_t, std::unique_ptr<StageWorker>> stage_workers_;
};

}  // namespace millrace::inline v1
