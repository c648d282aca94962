// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>

#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// So many per second, and up to `burst` at once after a time without any.
struct RateLimit {
  double per_second = 1;
  std::uint64_t burst = 1;
};

/// The arithmetic of a token bucket, without a lock: kept is the time at which it will be full
/// (GCRA, ITU-T I.371, the virtual scheduling algorithm). That never gets earlier, so a clock that
/// steps back mints nothing. [one thread]
class TokenBucket {
 public:
  using Time = Context::Clock::time_point;

  /// Throws Error (internal) for a rate or burst that is not above 0, or that no clock can hold.
  explicit TokenBucket(const RateLimit& limit);

  /// When a token is there, after `ahead` others were taken.
  Time ready(std::uint64_t ahead = 0) const noexcept;
  bool is_full(Time now) const noexcept { return full_at_ <= now; }

  void take(Time now) noexcept;           ///< Not before ready().
  void pause_until(Time until) noexcept;  ///< One is there then, and more at the rate.

 private:
  Context::Clock::duration interval_;  // between two tokens, rounded up
  Context::Clock::duration burst_;     // to refill all but one
  Time full_at_ = Time::min();
};

/// What the limiters below are made of: who waits for a token of its own bucket and of one that
/// all share. The longest waiting sleeps until the next token and wakes whom it belongs to, so
/// that there is no timer. [any thread, at once]
class RateQueue {
 public:
  using Time = TokenBucket::Time;
  using Now = Time (*)();
  struct Lane {
    TokenBucket bucket;
    std::size_t waiting = 0;
  };
  using Find = std::function<Lane&(Time now)>;  // called with the lock held

  RateQueue(const std::optional<RateLimit>& shared, Now now);
  ~RateQueue();
  RateQueue(const RateQueue&) = delete;
  RateQueue& operator=(const RateQueue&) = delete;

  bool wait(const Context& context, const Find& find);
  bool try_take(const Find& find);
  void pause_until(Time until, const Find& find);
  void pause_all_until(Time until);
  std::size_t waiting() const;

 private:
  struct Waiter {
    Lane* lane = nullptr;
    std::condition_variable woken;
    bool served = false;
  };
  using Place = std::list<Waiter*>::iterator;

  // All under the lock.
  Time ready(const Lane& lane, std::uint64_t ahead = 0) const noexcept;
  bool take(Lane& lane, Time now) noexcept;
  bool take_or_serve(const Find& find, Lane*& lane);
  void serve(Time now) noexcept;
  bool is_hopeless(const Context& context, const Lane& lane, std::uint64_t ahead, Time now) const;
  bool stand(std::unique_lock<std::mutex>& lock, const Context& context, Place place);
  void sleep(std::unique_lock<std::mutex>& lock, const Context& context, Waiter& self, Time now);
  void leave(Place place) noexcept;
  void wake_all() noexcept;

  const Now now_;
  mutable std::mutex mutex_;
  std::optional<TokenBucket> shared_;
  std::list<Waiter*> waiters_;  // as they came; the first keeps the time
};

/// Lets so many through per second, whoever asks: over any time no more than burst + rate x time.
/// First come, first served. Each caller waits on its own thread. [any thread, at once]
///
///     RateLimiter limiter({.per_second = 20, .burst = 5});
///     while (limiter.wait(context)) call();
class RateLimiter {
 public:
  using Time = RateQueue::Time;

  /// Throws Error (internal) for a rate or burst that is not above 0. `now` is called with a lock
  /// held.
  explicit RateLimiter(const RateLimit& limit, RateQueue::Now now = &Context::Clock::now)
      : lane_{TokenBucket(limit)}, queue_(std::nullopt, now) {}

  /// Waits for a turn. False: the context ended first, or its deadline is before the turn, which
  /// is said at once; nothing is used up then.
  [[nodiscard]] bool wait(const Context& context) { return queue_.wait(context, lane()); }

  /// Never waits, and never overtakes those who do.
  [[nodiscard]] bool try_take() { return queue_.try_take(lane()); }

  /// Lets nobody through before (a server's Retry-After), and one at a time from then on. Never
  /// shortens a pause.
  void pause_until(Time until) { queue_.pause_until(until, lane()); }

  std::size_t waiting() const { return queue_.waiting(); }

 private:
  RateQueue::Find lane() {
    return [this](Time) -> RateQueue::Lane& { return lane_; };
  }
  RateQueue::Lane lane_;
  RateQueue queue_;
};

/// A limit for each key (a host), and if wanted one for all together. Whoever waits for its own
/// key's turn does not keep other keys waiting; those who could go are served as they came. Keys
/// whose limit is untouched by now are forgotten: what is kept is those used lately, not all that
/// there ever were. [any thread, at once]
///
///     KeyedRateLimiter<std::string> hosts({.per_second = 2}, RateLimit{.per_second = 50});
///     if (hosts.wait(context, url.host)) fetch(url);
template <class Key>
class KeyedRateLimiter {
 public:
  using Time = RateQueue::Time;

  /// As RateLimiter.
  explicit KeyedRateLimiter(const RateLimit& each, const std::optional<RateLimit>& together = {},
                            RateQueue::Now now = &Context::Clock::now)
      : fresh_(each), queue_(together, now) {}

  [[nodiscard]] bool wait(const Context& context, const Key& key) {
    return queue_.wait(context, lane(key));
  }
  [[nodiscard]] bool try_take(const Key& key) { return queue_.try_take(lane(key)); }
  void pause_until(const Key& key, Time until) { queue_.pause_until(until, lane(key)); }

  /// Of the limit for all together; without one this does nothing.
  void pause_all_until(Time until) { queue_.pause_all_until(until); }

  std::size_t waiting() const { return queue_.waiting(); }

 private:
  RateQueue::Find lane(const Key& key) {
    return [this, &key](Time now) -> RateQueue::Lane& {
      if (const auto at = lanes_.find(key); at != lanes_.end()) return at->second;
      if (lanes_.size() >= most_lanes_) forget_idle(now);
      return lanes_.try_emplace(key, RateQueue::Lane{fresh_}).first->second;
    };
  }
  void forget_idle(Time now) {
    std::erase_if(lanes_, [now](const auto& lane) {
      return lane.second.waiting == 0 && lane.second.bucket.is_full(now);
    });
    most_lanes_ = std::max<std::size_t>(least_lanes, 2 * lanes_.size());
  }

  static constexpr std::size_t least_lanes = 64;
  const TokenBucket fresh_;
  std::map<Key, RateQueue::Lane> lanes_;  // guarded by the queue's lock
  std::size_t most_lanes_ = least_lanes;  // a sweep costs no more than the insertions before it
  RateQueue queue_;
};

}  // namespace millrace::inline v1
