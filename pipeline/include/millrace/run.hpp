// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>
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

/// How an input, or one page or branch of it, ended. The values are bits.
enum class Ending : unsigned { done = 1, skipped = 2, cancelled = 4, failed = 8 };

/// An input of a run that has ended.
struct ItemEnd {
  std::string item;
  Ending ending = Ending::done;
  Context::Clock::duration elapsed{};  ///< From its admission.
  std::string stage;                   ///< That worked on it longest; empty where none did.
  Context::Clock::duration worked{};   ///< There, summed over its pages.
};

/// Is told of the items while a run goes on, in the order in which it happens for each. The worker
/// that tells waits for the answer, so it should take microseconds. [any thread, at once]
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// Once for each input that was taken up, at its very end: after all that is told of it.
  virtual void ended(const ItemEnd&) noexcept {}
  virtual void failed(const Failure&) noexcept {}
  virtual void skipped(const Failure&) noexcept {}
  virtual void warned(const Failure&) noexcept {}
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
  std::vector<ItemEnd> slowest;  ///< At most ten inputs, the slowest first; none that is cancelled.

  struct StageCounts : StageTimes {
    std::string id;
    std::size_t workers = 0;            ///< 0: it worked on those of another stage,
    std::optional<std::size_t> shares;  ///< which has this index.
    std::size_t done = 0, failed = 0;
    std::size_t retries = 0;  ///< Attempts after the first.
    std::size_t queue_high_water = 0;
  };
  std::vector<StageCounts> stages;
};

/// Runs a plan to its end. Item errors are in the report; throws Error for what concerns the whole
/// run (an input folder that is not there, outputs that collide). Blocks; starts its own threads
/// and joins every one. `progress` starts at zero; it and the observer outlive the call.
Report run(const Plan& plan, const Shutdown& shutdown = {}, Progress* progress = nullptr,
           RunObserver* observer = nullptr);

}  // namespace millrace::inline v1
