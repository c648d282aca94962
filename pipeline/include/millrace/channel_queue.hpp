// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "millrace/context.hpp"
#include "millrace/interrupt.hpp"

namespace millrace::inline v1 {

/// How an operation on a channel ended. Whatever is not `ok` has changed nothing.
enum class ChannelStatus { ok, would_block, closed, cancelled, deadline };

/// What a pop gives: a value exactly if the status is `ok`.
template <class T>
struct Popped {
  ChannelStatus status;
  std::optional<T> value;

  explicit operator bool() const noexcept { return value.has_value(); }
  T& operator*() noexcept { return *value; }
  T* operator->() noexcept { return &*value; }
};

struct ChannelCounts {
  std::size_t depth = 0;                     ///< Values inside now.
  std::size_t high_water = 0;                ///< The most there ever were.
  std::size_t pushers = 0;                   ///< Who wait to push now.
  std::size_t poppers = 0;                   ///< Who wait to pop now.
  Context::Clock::duration blocked_full{};   ///< Time that pushes waited, summed.
  Context::Clock::duration blocked_empty{};  ///< Time that pops waited, summed.
};

/// What a channel and its ends share.
template <class T>
class ChannelQueue {
  static_assert(std::is_nothrow_move_constructible_v<T>, "a value must not get lost on its way");

  struct Waiter {
    std::condition_variable woken;
    std::optional<ChannelStatus> outcome;  // set by whoever serves this waiter
  };
  struct Pusher : Waiter {
    explicit Pusher(T& own) : value(own) {}
    T& value;
  };
  struct Popper : Waiter {
    std::optional<T> value;
  };

 public:
  explicit ChannelQueue(std::size_t limit) : capacity(limit) {}
  ~ChannelQueue() { assert(pushers_.empty() && poppers_.empty()); }
  ChannelQueue(const ChannelQueue&) = delete;
  ChannelQueue& operator=(const ChannelQueue&) = delete;

  const std::size_t capacity;

  ChannelStatus push(const Context& context, T& value) {
    if (const auto end = end_of(context)) return *end;
    if (const auto status = try_push(value); status != ChannelStatus::would_block) return status;
    Pusher self(value);
    const Interrupt interrupt(context, mutex_, self.woken);
    std::unique_lock lock(mutex_);
    if (const auto status = give(value); status != ChannelStatus::would_block) return status;
    return wait(lock, pushers_, self, context, interrupt, blocked_full_);
  }

  ChannelStatus try_push(T& value) {
    const std::lock_guard lock(mutex_);
    return give(value);
  }

  Popped<T> pop(const Context& context) {
    if (const auto end = end_of(context)) return {*end, std::nullopt};
    if (auto popped = try_pop(); popped.status != ChannelStatus::would_block) return popped;
    Popper self;
    const Interrupt interrupt(context, mutex_, self.woken);
    std::unique_lock lock(mutex_);
    auto status = take(self.value);
    if (status == ChannelStatus::would_block)
      status = wait(lock, poppers_, self, context, interrupt, blocked_empty_);
    return {status, std::move(self.value)};
  }

  Popped<T> try_pop() {
    Popped<T> popped{};
    const std::lock_guard lock(mutex_);
    popped.status = take(popped.value);
    return popped;
  }

  void join() {
    const std::lock_guard lock(mutex_);
    ++senders_;
  }

  void leave() noexcept {
    const std::lock_guard lock(mutex_);
    if (--senders_ == 0) close_locked();
  }

  bool close() {
    const std::lock_guard lock(mutex_);
    return close_locked();
  }

  ChannelCounts counts() const {
    const std::lock_guard lock(mutex_);
    return {items_.size(),   high_water_,   pushers_.size(),
            poppers_.size(), blocked_full_, blocked_empty_};
  }

 private:
  static std::optional<ChannelStatus> end_of(const Context& context) noexcept {
    const auto cause = context.cause();
    if (!cause) return std::nullopt;
    return *cause == Cause::cancelled ? ChannelStatus::cancelled : ChannelStatus::deadline;
  }

  // All below: under the lock. Pushers wait only while it is full, poppers only while it is empty.

  ChannelStatus give(T& value) {
    if (closed_) return ChannelStatus::closed;
    if (!poppers_.empty()) {
      poppers_.front()->value.emplace(std::move(value));
      serve(poppers_, ChannelStatus::ok);
    } else if (items_.size() < capacity) {
      items_.push_back(std::move(value));
      if (items_.size() > high_water_) high_water_ = items_.size();
    } else {
      return ChannelStatus::would_block;
    }
    return ChannelStatus::ok;
  }

  ChannelStatus take(std::optional<T>& into) {
    const bool refill = !pushers_.empty() && capacity > 0;
    if (refill) items_.push_back(std::move(pushers_.front()->value));  // first: it may throw
    if (!items_.empty()) {
      into.emplace(std::move(items_.front()));
      items_.pop_front();
    } else if (!pushers_.empty()) {
      into.emplace(std::move(pushers_.front()->value));
    } else {
      return closed_ ? ChannelStatus::closed : ChannelStatus::would_block;
    }
    if (!pushers_.empty()) serve(pushers_, ChannelStatus::ok);
    return ChannelStatus::ok;
  }

  template <class W>
  ChannelStatus wait(std::unique_lock<std::mutex>& lock, std::list<W*>& waiters, W& self,
                     const Context& context, const Interrupt& interrupt,
                     Context::Clock::duration& blocked) {
    const auto place = waiters.insert(waiters.end(), &self);
    const auto since = Context::Clock::now();
    while (!self.outcome) {
      if (const auto end = end_of(context)) {
        self.outcome = *end;
        waiters.erase(place);
      } else {
        interrupt.wait(lock);
      }
    }
    blocked += Context::Clock::now() - since;
    return *self.outcome;
  }

  // Notified under the lock: the waiter, and what it waits on, may be gone right after it.
  template <class W>
  static void serve(std::list<W*>& waiters, ChannelStatus outcome) noexcept {
    waiters.front()->outcome = outcome;
    waiters.front()->woken.notify_one();
    waiters.pop_front();
  }

  bool close_locked() noexcept {
    if (std::exchange(closed_, true)) return false;
    while (!pushers_.empty()) serve(pushers_, ChannelStatus::closed);
    while (!poppers_.empty()) serve(poppers_, ChannelStatus::closed);
    return true;
  }

  mutable std::mutex mutex_;
  std::deque<T> items_;
  std::list<Pusher*> pushers_;
  std::list<Popper*> poppers_;
  std::size_t senders_ = 0;
  bool closed_ = false;
  std::size_t high_water_ = 0;
  Context::Clock::duration blocked_full_{};
  Context::Clock::duration blocked_empty_{};
};

}  // namespace millrace::inline v1
