// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "isolate/isolation.hpp"
#include "millrace/rate_limiter.hpp"
#include "millrace/run.hpp"
#include "run/error_policy.hpp"
#include "run/journal.hpp"
#include "run/tally.hpp"

namespace millrace::inline v1 {

/// What all pools of a run share. [any thread, at once]
struct RunState {
  RunState(const Plan& planned, const Shutdown& shutdown, std::size_t inputs, Progress& progress,
           RunObserver* observer)
      : plan(planned),
        admission(shutdown.admission().child()),
        work(shutdown.work().child()),
        tally(planned, progress, observer),
        journal(planned, observer),
        policy(planned, inputs) {
    tally.expect(inputs);
    for (const auto& stage : plan.stages) {
      if (stage.rate)
        limiters_.try_emplace(&stage, RateLimit{.per_second = stage.rate->per_second});
      if (stage.isolate) isolate(stage);
    }
  }

  /// Ends the run from inside. The caller's Shutdown is not touched.
  void stop() const noexcept {
    admission.cancel();
    work.cancel();
  }

  /// What keeps the rate of a stage of the plan; null where it has none.
  RateLimiter* limiter_of(const PlannedStage& stage) noexcept {
    const auto found = limiters_.find(&stage);
    return found == limiters_.end() ? nullptr : &found->second;
  }

  /// A worker of a stage of the plan, in this process or in one of its own.
  std::unique_ptr<StageWorker> make_worker(const PlannedStage& stage);

  /// Ends the run for a reason that concerns a whole stage; the first one stays. What has ended is
  /// reported.
  void give_up(const std::string& reason);
  /// Ends the run with an error that is not an item's; the first one stays.
  void fail(const Error& error);
  /// Throws that error again, on the thread that called run().
  void rethrow();
  void fill(Report& report);

  const Plan& plan;
  const Context admission;
  const Context work;
  Tally tally;
  Journal journal;
  ErrorPolicy policy;
  std::atomic<bool> stopped_by_on_error = false;

 private:
  void isolate(const PlannedStage& stage);

  std::map<const PlannedStage*, RateLimiter> limiters_;
  std::mutex mutex_;
  ErrorKind kind_ = ErrorKind::internal;
  std::optional<std::string> message_;  // kept apart: an Error's text is shared between its copies
  std::string gave_up_;
  std::map<const PlannedStage*, Isolation> isolations_;
};

}  // namespace millrace::inline v1
