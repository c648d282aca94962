// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <csignal>
#include <optional>

#include "millrace/context.hpp"
#include "millrace/option.hpp"

namespace millrace::cli {

/// From a signal to the end, step by step. SIGINT is somebody at a terminal who waits: what is
/// under way gets a moment, then it is cancelled. SIGTERM drains for 3/4 of the shutdown timeout. A
/// second signal cancels at once, a third one forces, and so does the end of the time. Knows no
/// clock and does nothing itself. [one thread]
class StopSequence {
 public:
  using Time = Context::Clock::time_point;
  enum class Step { running, draining, cancelled, forced };

  explicit StopSequence(Duration shutdown_timeout) : timeout_(shutdown_timeout) {}

  Step on_signal(int number, Time now);
  Step on_time(Time now);

  Step step() const noexcept { return step_; }
  int signal() const noexcept { return signal_; }  ///< The first one; 0: none.
  /// Whether the end, should it be forced, is what one Ctrl-C asked for.
  bool is_interrupt() const noexcept { return signal_ == SIGINT && signals_ < 3; }
  /// When on_time() will take the next step; none while running and at the end.
  std::optional<Time> next() const noexcept;

 private:
  Duration grace() const noexcept;  // from the cancel to the force

  Duration timeout_;
  Step step_ = Step::running;
  int signal_ = 0;
  int signals_ = 0;
  Time cancel_at_{}, force_at_{};
};

}  // namespace millrace::cli
