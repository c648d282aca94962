// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>

#include "millrace/run.hpp"
#include "run/slowest.hpp"

namespace millrace::inline v1 {

/// What an input counts as whose tokens had these outcomes: failed before cancelled before done
/// before skipped, since a page or a branch that is skipped does not undo the others.
Ending worst(unsigned outcomes) noexcept;

/// An input's way through the run.
struct Journey {
  const Origin& origin;
  Ending ending;
  Context::Clock::duration elapsed{};
  std::optional<std::size_t> stage{};  ///< That worked on it longest.
  Context::Clock::duration worked{};   ///< There.
};

/// Counts the inputs of a run and how each ended, keeps the slowest, and tells the observer. [any
/// thread, at once]
class Tally {
 public:
  Tally(const Plan& plan, Progress& progress, RunObserver* observer)
      : plan_(plan), progress_(progress), observer_(observer) {}

  void expect(std::size_t inputs) noexcept { progress_.inputs = inputs; }
  void end(const Journey& journey) noexcept;
  /// An input that nothing was begun with.
  void cancel() noexcept { ++progress_.cancelled; }

  /// Once every input has ended. Throws Error (internal) if one has been lost or counted twice.
  void fill(Report& report) const;

 private:
  void count(Ending ending) noexcept;
  void tell(const Journey& journey, bool is_slow);

  const Plan& plan_;
  Progress& progress_;
  RunObserver* const observer_;
  Slowest slowest_;
};

}  // namespace millrace::inline v1
