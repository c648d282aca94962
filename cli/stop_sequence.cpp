// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/stop_sequence.hpp"

#include <algorithm>
#include <csignal>

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;

// The whole is to be over within a second, of which the workers need some to notice a cancel.
constexpr Duration moment_for_what_is_under_way = 200ms;
// What cannot be cancelled (the layout of a large page) is left behind: nothing partial can remain.
constexpr Duration grace_at_the_terminal = 700ms;

}  // namespace

StopSequence::Step StopSequence::on_signal(int number, Time now) {
  ++signals_;
  if (signals_ == 1) {
    signal_ = number;
    step_ = Step::draining;
    cancel_at_ = now + (number == SIGINT ? moment_for_what_is_under_way : timeout_ / 4 * 3);
    force_at_ = cancel_at_ + grace();
  } else if (signals_ == 2) {
    cancel_at_ = std::min(cancel_at_, now);
    force_at_ = cancel_at_ + grace();
  } else {
    force_at_ = now;
  }
  return on_time(now);
}

StopSequence::Step StopSequence::on_time(Time now) {
  if (step_ == Step::draining && now >= cancel_at_) step_ = Step::cancelled;
  if (step_ == Step::cancelled && now >= force_at_) step_ = Step::forced;
  return step_;
}

std::optional<StopSequence::Time> StopSequence::next() const noexcept {
  if (step_ == Step::draining) return cancel_at_;
  if (step_ == Step::cancelled) return force_at_;
  return std::nullopt;
}

Duration StopSequence::grace() const noexcept {
  return signal_ == SIGINT ? grace_at_the_terminal : timeout_ / 4;
}

}  // namespace millrace::cli
