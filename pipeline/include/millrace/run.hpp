// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "millrace/context.hpp"
#include "millrace/error.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

struct Failure {
  std::string item;
  std::string stage;
  ErrorKind kind;
  std::string message;
};

/// How a run ended. inputs = done + skipped + failed + cancelled, always.
struct Report {
  std::size_t inputs = 0, done = 0, skipped = 0, failed = 0, cancelled = 0;
  std::vector<Failure> failures;  ///< In the source's order.
  std::vector<Failure> warnings;  ///< As told by stages; `kind` has no meaning here.
  std::vector<Failure> skips;     ///< With the stage's reason; `kind` has no meaning here.
  bool stopped_by_on_error = false;
  Context::Clock::duration elapsed{};

  struct StageCounts {
    std::string id;
    std::size_t done = 0, failed = 0;
    Context::Clock::duration busy{};  ///< Summed over its workers.
    std::size_t queue_high_water = 0;
  };
  std::vector<StageCounts> stages;
};

/// How to end a run early. [any thread; not from a signal handler]
class Shutdown {
 public:
  Shutdown() = default;
  /// No further item is admitted; what is under way ends normally.
  void drain() const noexcept { admission_.cancel(); }
  /// What is under way is cancelled too.
  void cancel() const noexcept { work_.cancel(); }

  const Context& admission() const noexcept { return admission_; }
  const Context& work() const noexcept { return work_; }

 private:
  Context work_;
  Context admission_ = work_.child();  // nobody is to wait for a place among what has ended
};

/// How far a run is, to be looked at from another thread while it runs. `inputs` is 0 until all
/// sources are listed.
struct Progress {
  std::atomic<std::size_t> inputs{0}, done{0}, skipped{0}, failed{0}, cancelled{0};

  std::size_t ended() const noexcept { return done + skipped + failed + cancelled; }
};

/// Runs a plan to its end. Item errors are in the report; throws Error for what concerns the whole
/// run (an input folder that is not there, outputs that collide). Blocks; starts its own threads
/// and joins every one. `progress` starts at zero and outlives the call.
Report run(const Plan& plan, const Shutdown& shutdown = {}, Progress* progress = nullptr);

}  // namespace millrace::inline v1
