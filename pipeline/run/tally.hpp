// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

#include "millrace/run.hpp"

namespace millrace::inline v1 {

/// How an input, or one token of it, ended. The values are bits.
enum class Ending : unsigned { done = 1, skipped = 2, cancelled = 4, failed = 8 };

/// What an input counts as whose tokens had these outcomes: failed before cancelled before done
/// before skipped, since a page or a branch that is skipped does not undo the others.
Ending worst(unsigned outcomes) noexcept;

/// Counts the inputs of a run and how each ended. [any thread, at once]
class Tally {
 public:
  explicit Tally(Progress& progress) : progress_(progress) {}

  void expect(std::size_t inputs) noexcept { progress_.inputs = inputs; }
  void end(Ending outcome, std::size_t inputs = 1) noexcept;

  /// Once every input has ended. Throws Error (internal) if one has been lost or counted twice.
  void fill(Report& report) const;

 private:
  Progress& progress_;
};

}  // namespace millrace::inline v1
