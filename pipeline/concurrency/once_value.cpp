// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/once_value.hpp"

#include "millrace/error.hpp"
#include "millrace/interrupt.hpp"

namespace millrace::inline v1 {

bool Once::begin(const Context& context) {
  if (state_.load(std::memory_order_acquire) == State::done) return false;
  const Interrupt interrupt(context, mutex_, changed_);
  std::unique_lock lock(mutex_);
  while (true) {
    const State state = state_.load(std::memory_order_relaxed);
    if (state == State::done) return false;
    if (state == State::failed) fault_->raise();
    context.check();
    if (state == State::untouched) break;
    if (computing_ == std::this_thread::get_id())
      throw Error(ErrorKind::internal, "a value is needed to compute itself");
    interrupt.wait(lock);
  }
  state_.store(State::computing, std::memory_order_relaxed);
  computing_ = std::this_thread::get_id();
  return true;
}

void Once::succeed() noexcept {
  const std::lock_guard lock(mutex_);
  end(State::done);
}

void Once::fail() {
  const Fault fault = Fault::current();
  {
    const std::lock_guard lock(mutex_);
    const bool cancelled = fault.error().kind() == ErrorKind::cancelled;
    if (!cancelled) fault_ = fault;
    end(cancelled ? State::untouched : State::failed);
  }
  fault.raise();
}

void Once::end(State state) noexcept {
  state_.store(state, std::memory_order_release);
  computing_ = {};
  changed_.notify_all();
}

}  // namespace millrace::inline v1
