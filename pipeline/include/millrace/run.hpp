// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "millrace/context.hpp"
#include "millrace/error.hpp"
#include "millrace/pipeline.hpp"
#include "millrace/progress.hpp"
#include "millrace/shutdown.hpp"

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
  std::string gave_up;  ///< Why the run stopped because of an isolated stage's crashes; or empty.
  Context::Clock::duration elapsed{};

  /// Times are summed over the stage's workers.
  struct StageCounts {
    std::string id;
    std::size_t workers = 0;  ///< 0: it worked on those of the stage in front.
    std::size_t done = 0, failed = 0;
    std::size_t retries = 0;  ///< Attempts after the first.
    Context::Clock::duration busy{};
    Context::Clock::duration waiting_input{};
    Context::Clock::duration waiting_output{};
    Context::Clock::duration waiting_cpu{};
    Context::Clock::duration pausing{};  ///< For the rate, and before another attempt.
    std::size_t queue_high_water = 0;
  };
  std::vector<StageCounts> stages;
};

/// Runs a plan to its end. Item errors are in the report; throws Error for what concerns the whole
/// run (an input folder that is not there, outputs that collide). Blocks; starts its own threads
/// and joins every one. `progress` starts at zero and outlives the call.
Report run(const Plan& plan, const Shutdown& shutdown = {}, Progress* progress = nullptr);

}  // namespace millrace::inline v1
