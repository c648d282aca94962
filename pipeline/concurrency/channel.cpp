// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cassert>
#include <condition_variable>

#include "concurrency/effective_cpus.hpp"
#include "millrace/brief_mutex.hpp"
#include "millrace/channel_core.hpp"
#include "millrace/interrupt.hpp"

namespace millrace::inline v1 {
namespace {

// Watching in vain costs a CPU some tens of microseconds: once in so many waits at most.
constexpr int pause_after_failure = 32;
constexpr int most_haste = 8;

}  // namespace

std::optional<ChannelStatus> ended(const Context& context) noexcept {
  const auto cause = context.cause();
  if (!cause) return std::nullopt;
  return *cause == Cause::cancelled ? ChannelStatus::cancelled : ChannelStatus::deadline;
}

/// What a thread sleeps on: one for each thread, since it waits for one thing at a time. A bed is
/// never destroyed, only left to a later thread: so a sleeper can be woken without its lock, at
/// which it would have to stop at once. The later thread may wake once for nothing.
struct ChannelWaiter::Bed : Linked<Bed> {
  std::mutex mutex;
  std::condition_variable changed;
};

ChannelWaiter::Bed& ChannelWaiter::own_bed() {
  struct House {
    std::mutex mutex;
    LinkedList<Bed> free;
  };
  static House& house = *new House;  // threads may end after the statics
  struct Guest {
    Guest() {
      {
        const std::lock_guard lock(house.mutex);
        bed = house.free.remove_first();
      }
      if (!bed) bed = new Bed;
    }
    ~Guest() {
      const std::lock_guard lock(house.mutex);
      house.free.append(*bed);
    }
    Bed* bed;
  };
  thread_local const Guest guest;
  return *guest.bed;
}

ChannelWaiter::ChannelWaiter() : bed_(own_bed()) {}

bool ChannelWaiter::claim() noexcept { return !claimed_.exchange(true); }

void ChannelWaiter::serve(ChannelTurn& turn, ChannelStatus outcome) noexcept {
  turn.outcome = outcome;
  served_ = &turn;
  Phase phase = Phase::awake;
  if (phase_.compare_exchange_strong(phase, Phase::served)) return;
  Bed& bed = bed_;  // this waiter may be gone as soon as the lock is
  {
    const std::lock_guard lock(bed.mutex);
    phase_ = Phase::served;
  }
  bed.changed.notify_one();
}

bool ChannelWaiter::watch() const noexcept {
  // Some tens of microseconds: about what it takes to wake a CPU that has gone to sleep.
  for (int look = 0; look < 1000; ++look) {
    if (phase_ == Phase::served) return true;
    pause_briefly();
  }
  return false;
}

ChannelTurn* ChannelWaiter::wait(const Context& context) noexcept {
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

bool ChannelCore::served_soon(const ChannelWaiter& self) noexcept {
  const int haste = haste_.load(std::memory_order_relaxed);
  if (haste < 0) {
    haste_.store(haste + 1, std::memory_order_relaxed);
    return false;
  }
  static const std::size_t cpus = effective_cpus();
  static std::atomic<std::size_t> watching = 0;
  bool served = false;
  if (watching.fetch_add(1) + 1 < cpus) {  // one is left to those who are waited for
    served = self.watch();
    const int less = haste >= 2 ? haste - 2 : -pause_after_failure;
    haste_.store(served ? std::min(haste + 1, most_haste) : less, std::memory_order_relaxed);
  }
  --watching;
  return served;
}

ChannelStatus ChannelCore::wait(std::unique_lock<BriefMutex>& lock, Line& line, void* value,
                                const Context& context, Ticks& blocked) {
  ChannelWaiter self;
  ChannelTurn turn;
  turn.waiter = &self;
  turn.value = value;
  line.append(turn);
  lock.unlock();
  const auto since = Context::Clock::now();
  if (!served_soon(self) && !self.wait(context)) {
    turn.outcome = *ended(context);
    lock.lock();
    line.remove(turn);
    lock.unlock();
  }
  blocked += (Context::Clock::now() - since).count();
  return turn.outcome;
}

}  // namespace millrace::inline v1
