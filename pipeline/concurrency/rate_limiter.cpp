// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/rate_limiter.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <string>

#include "millrace/error.hpp"
#include "millrace/interrupt.hpp"

namespace millrace::inline v1 {
namespace {

using Time = TokenBucket::Time;
using Ticks = Context::Clock::duration;

/// A time that is `step` later, or earlier, than `time`, as far as the clock can say it.
Time moved(Time time, Ticks step) noexcept {
  Ticks::rep ticks = 0;
  if (!__builtin_add_overflow(time.time_since_epoch().count(), step.count(), &ticks))
    return Time(Ticks(ticks));
  return step < Ticks::zero() ? Time::min() : Time::max();
}

Ticks times(Ticks step, std::uint64_t count) noexcept {
  Ticks::rep ticks = 0;
  return __builtin_mul_overflow(step.count(), count, &ticks) ? Ticks::max() : Ticks(ticks);
}

Ticks between(Time from, Time to) noexcept {
  Ticks::rep ticks = 0;
  if (!__builtin_sub_overflow(to.time_since_epoch().count(), from.time_since_epoch().count(),
                              &ticks))
    return Ticks(ticks);
  return to < from ? Ticks::min() : Ticks::max();
}

Ticks interval_of(const RateLimit& limit) {
  constexpr double second = std::chrono::duration_cast<Ticks>(std::chrono::seconds(1)).count();
  const double interval = std::ceil(second / limit.per_second);
  const bool fits = interval * static_cast<double>(limit.burst) < 1e18;  // 31 years
  if (!(limit.per_second > 0) || limit.burst == 0 || !fits)
    throw Error(ErrorKind::internal, "a rate of " + std::to_string(limit.per_second) +
                                         " per second with a burst of " +
                                         std::to_string(limit.burst) + " cannot be kept");
  return Ticks(std::max<Ticks::rep>(1, static_cast<Ticks::rep>(interval)));
}

}  // namespace

TokenBucket::TokenBucket(const RateLimit& limit)
    : interval_(interval_of(limit)), burst_(times(interval_, limit.burst - 1)) {}

Time TokenBucket::ready(std::uint64_t ahead) const noexcept {
  return moved(moved(full_at_, -burst_), times(interval_, ahead));
}

void TokenBucket::take(Time now) noexcept { full_at_ = moved(std::max(full_at_, now), interval_); }

void TokenBucket::pause_until(Time until) noexcept {
  full_at_ = std::max(full_at_, moved(until, burst_));
}

RateQueue::RateQueue(const std::optional<RateLimit>& shared, Now now) : now_(now) {
  if (shared) shared_.emplace(*shared);
}

RateQueue::~RateQueue() { assert(waiters_.empty()); }

bool RateQueue::wait(const Context& context, const Find& find) {
  if (context.done()) return false;
  if (try_take(find)) return true;
  Waiter self;
  const Interrupt interrupt(context, mutex_, self.woken);
  std::unique_lock lock(mutex_);
  if (take_or_serve(find, self.lane)) return true;
  const auto place = waiters_.insert(waiters_.end(), &self);
  // The first of its lane may be due before the time that is slept until.
  if (++self.lane->waiting == 1) waiters_.front()->woken.notify_one();
  return stand(lock, context, place);
}

bool RateQueue::try_take(const Find& find) {
  Lane* lane = nullptr;
  const std::lock_guard lock(mutex_);
  return take_or_serve(find, lane);
}

void RateQueue::pause_until(Time until, const Find& find) {
  const std::lock_guard lock(mutex_);
  find(now_()).bucket.pause_until(until);
  wake_all();
}

void RateQueue::pause_all_until(Time until) {
  const std::lock_guard lock(mutex_);
  if (shared_) shared_->pause_until(until);
  wake_all();
}

std::size_t RateQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiters_.size();
}

Time RateQueue::ready(const Lane& lane, std::uint64_t ahead) const noexcept {
  const Time own = lane.bucket.ready(ahead);
  return shared_ ? std::max(own, shared_->ready(ahead)) : own;
}

bool RateQueue::take(Lane& lane, Time now) noexcept {
  if (ready(lane) > now) return false;
  lane.bucket.take(now);
  if (shared_) shared_->take(now);
  return true;
}

bool RateQueue::take_or_serve(const Find& find, Lane*& lane) {
  const Time now = now_();
  serve(now);  // what is left then is wanted by nobody who came before
  lane = &find(now);
  return lane->waiting == 0 && take(*lane, now);
}

// Notified under the lock: the waiter may be gone right after it.
void RateQueue::serve(Time now) noexcept {
  if (waiters_.empty()) return;
  const Waiter* const keeper = waiters_.front();
  for (auto place = waiters_.begin();
       place != waiters_.end() && (!shared_ || shared_->ready() <= now);) {
    Waiter& waiter = **place;
    const auto next = std::next(place);
    if (take(*waiter.lane, now)) {
      --waiter.lane->waiting;
      waiters_.erase(place);
      waiter.served = true;
      waiter.woken.notify_one();
    }
    place = next;
  }
  if (!waiters_.empty() && waiters_.front() != keeper) waiters_.front()->woken.notify_one();
}

/// Whether the turn comes after the context's deadline even if nothing else comes in between.
bool RateQueue::is_hopeless(const Context& context, const Lane& lane, std::uint64_t ahead,
                            Time now) const {
  const auto deadline = context.deadline();
  return deadline && between(now, ready(lane, ahead)) > between(Context::Clock::now(), *deadline);
}

bool RateQueue::stand(std::unique_lock<std::mutex>& lock, const Context& context, Place place) {
  Waiter& self = **place;
  while (!self.served) {
    if (context.done()) {
      leave(place);
      return false;
    }
    const Time now = now_();
    serve(now);
    if (self.served) break;
    const auto ahead = std::count_if(
        waiters_.begin(), place, [&](const Waiter* waiter) { return waiter->lane == self.lane; });
    if (is_hopeless(context, *self.lane, static_cast<std::uint64_t>(ahead), now)) {
      leave(place);
      return false;
    }
    sleep(lock, context, self, now);
  }
  return true;
}

void RateQueue::sleep(std::unique_lock<std::mutex>& lock, const Context& context, Waiter& self,
                      Time now) {
  auto until = context.deadline();
  if (waiters_.front() == &self) {
    Time next = Time::max();
    for (const Waiter* waiter : waiters_) next = std::min(next, ready(*waiter->lane));
    // Another clock than the real one, and one hour: only a look too many.
    const auto delay = std::min<Ticks>(between(now, next), std::chrono::hours(1));
    const Time due = Context::Clock::now() + delay;
    until = std::min(until.value_or(due), due);
  }
  if (until)
    self.woken.wait_until(lock, *until);
  else
    self.woken.wait(lock);
}

void RateQueue::leave(Place place) noexcept {
  const bool kept_time = place == waiters_.begin();
  --(*place)->lane->waiting;
  waiters_.erase(place);
  if (kept_time && !waiters_.empty()) waiters_.front()->woken.notify_one();
}

void RateQueue::wake_all() noexcept {
  for (Waiter* waiter : waiters_) waiter->woken.notify_one();  // some cannot make it any more
}

}  // namespace millrace::inline v1
