// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/slots.hpp"

#include "millrace/interrupt.hpp"

namespace millrace::inline v1 {

std::optional<Slots::Slot> Slots::acquire(const Context& context, std::size_t rank) {
  if (context.done()) return std::nullopt;
  if (auto slot = try_acquire()) return slot;
  Waiter self;
  const Interrupt interrupt(context, mutex_, self.woken);
  std::unique_lock lock(mutex_);
  if (free_ > 0) {
    --free_;
    return Slot(*this);
  }
  const auto place = waiters_.emplace(rank, &self);
  while (!self.served) {
    if (context.done()) {
      waiters_.erase(place);
      return std::nullopt;
    }
    interrupt.wait(lock);
  }
  return Slot(*this);
}

std::optional<Slots::Slot> Slots::try_acquire() {
  const std::lock_guard lock(mutex_);
  if (free_ == 0) return std::nullopt;
  --free_;
  return Slot(*this);
}

std::size_t Slots::free() const {
  const std::lock_guard lock(mutex_);
  return free_;
}

std::size_t Slots::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiters_.size();
}

void Slots::put_back() noexcept {
  const std::lock_guard lock(mutex_);
  if (waiters_.empty()) {
    ++free_;
    return;
  }
  const auto first = waiters_.begin();  // handed over: nobody who comes later is served before
  first->second->served = true;
  first->second->woken.notify_one();
  waiters_.erase(first);
}

}  // namespace millrace::inline v1
