// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cassert>
#include <condition_variable>
#include <cstdlib>

#include "concurrency/effective_cpus.hpp"
#include "millrace/channel_core.hpp"
#include "millrace/interrupt.hpp"

namespace millrace::inline v1 {
namespace {

void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

int looks_before_sleep() noexcept {
  static const int looks = std::getenv("SPIN") ? atoi(std::getenv("SPIN")) : 100;
  return looks;
}

}  // namespace

std::optional<ChannelStatus> ended(const Context& context) noexcept {
  const auto cause = context.cause();
  if (!cause) return std::nullopt;
  return *cause == Cause::cancelled ? ChannelStatus::cancelled : ChannelStatus::deadline;
}

/// What a thread sleeps on: one for each thread, since it waits for one thing at a time.
struct ChannelWaiter::Bed {
  std::mutex mutex;
  std::condition_variable changed;
};

ChannelWaiter::Bed& ChannelWaiter::own_bed() noexcept {
  thread_local Bed bed;
  return bed;
}

ChannelWaiter::ChannelWaiter() noexcept : bed_(own_bed()) {}

bool ChannelWaiter::claim() noexcept { return !claimed_.exchange(true); }

void ChannelWaiter::serve(ChannelTurn& turn, ChannelStatus outcome) noexcept {
  turn.outcome = outcome;
  served_ = &turn;
  Phase phase = Phase::awake;
  if (phase_.compare_exchange_strong(phase, Phase::served)) return;
  // Asleep: it looks at its phase under this lock only, and cannot be gone before it is released.
  const std::lock_guard lock(bed_.mutex);
  phase_ = Phase::served;
  bed_.changed.notify_one();
}

ChannelTurn* ChannelWaiter::wait(const Context& context) noexcept {
  for (int looks = looks_before_sleep(); looks > 0 && !context.done(); --looks) {
    if (phase_.load(std::memory_order_acquire) == Phase::served) return served_;
    relax();
  }
  const Interrupt interrupt(context, bed_.mutex, bed_.changed);
  std::unique_lock lock(bed_.mutex);
  Phase phase = Phase::awake;
  phase_.compare_exchange_strong(phase, Phase::asleep);
  while (phase_ != Phase::served) {
    if (!context.done())
      interrupt.wait(lock);
    else if (claim())
      return nullptr;
    else
      bed_.changed.wait(lock);  // claimed by one who is about to serve it
  }
  return served_;
}

ChannelCore::~ChannelCore() { assert(pushers_.empty() && poppers_.empty()); }

void ChannelCore::join() {
  const std::lock_guard lock(mutex_);
  ++senders_;
}

void ChannelCore::leave() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (--senders_ > 0) return;
  }
  close();
}

bool ChannelCore::close() noexcept {
  Line served;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    closed_ = true;
    while (ChannelTurn* const turn = claim_first(pushers_)) served.append(*turn);
    while (ChannelTurn* const turn = claim_first(poppers_)) served.append(*turn);
  }
  while (ChannelTurn* const turn = served.remove_first())
    turn->waiter->serve(*turn, ChannelStatus::closed);
  return true;
}

ChannelCounts ChannelCore::counts() const {
  const std::lock_guard lock(mutex_);
  return {depth(),
          high_water_,
          pushers_.size(),
          poppers_.size(),
          Context::Clock::duration(blocked_full_),
          Context::Clock::duration(blocked_empty_)};
}

ChannelStatus ChannelCore::wait(std::unique_lock<std::mutex>& lock, Line& line, void* value,
                                const Context& context, Ticks& blocked) {
  ChannelWaiter self;
  ChannelTurn turn;
  turn.waiter = &self;
  turn.value = value;
  line.append(turn);
  lock.unlock();
  const auto since = Context::Clock::now();
  if (!self.wait(context)) {
    turn.outcome = *ended(context);
    lock.lock();
    line.remove(turn);
    lock.unlock();
  }
  blocked += (Context::Clock::now() - since).count();
  return turn.outcome;
}

}  // namespace millrace::inline v1
