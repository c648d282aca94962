// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

#include "millrace/context.hpp"

namespace millrace::inline v1 {

class Semaphore;

/// A part of a semaphore's total that is held; it goes back with this object. [one thread]
class Permit {
 public:
  Permit(Permit&& other) noexcept
      : owner_(std::exchange(other.owner_, nullptr)), weight_(std::exchange(other.weight_, 0)) {}
  Permit& operator=(Permit other) noexcept {
    std::swap(owner_, other.owner_);
    std::swap(weight_, other.weight_);
    return *this;
  }
  ~Permit();

  std::uint64_t weight() const noexcept { return weight_; }

  /// Takes `n` of the weight into a permit of its own. Throws Error (internal) when it is more
  /// than this one holds.
  Permit split(std::uint64_t n);

  /// Gives `n` of the weight back before its time. Throws as split().
  void release(std::uint64_t n);

  /// Makes the weight `n`, up or down, without waiting and even if more is held then than there
  /// is: for whoever asked for an estimate and knows better now. Throws Error (internal) when this
  /// one was moved from, or for numbers beyond 2^63.
  void correct(std::uint64_t n);

 private:
  friend class Semaphore;
  Permit(Semaphore* owner, std::uint64_t weight) noexcept : owner_(owner), weight_(weight) {}
  void check_holds(std::uint64_t n) const;

  Semaphore* owner_;
  std::uint64_t weight_;
};

/// A total (of places, of bytes) that is given out in permits of any weight, all of it or nothing.
/// First come, first served: a large request at the head keeps smaller ones behind it waiting, so
/// that it is not starved, and one that leaves lets them through. Waits end with the context.
/// Outlives every Permit that it gave. [any thread, at once]
///
///     Semaphore memory(512);
///     auto lease = memory.acquire(context, 300);  // none: the context ended first
///     if (lease) lease->correct(320);             // when the real size is known
class Semaphore {
 public:
  /// Throws Error (internal) for 0, which would let nothing through, and above 2^63 - 1.
  explicit Semaphore(std::uint64_t total);
  ~Semaphore();
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  /// Waits for `n`; none when the context ended first, and then nothing is held. Throws Error
  /// (internal) when `n` is above the total: it could never be had.
  [[nodiscard]] std::optional<Permit> acquire(const Context& context, std::uint64_t n = 1);

  /// Never waits, and never overtakes those who do. Throws as acquire().
  [[nodiscard]] std::optional<Permit> try_acquire(std::uint64_t n = 1);

  std::uint64_t total() const noexcept { return total_; }
  std::int64_t free() const;  ///< Below 0 after a correction; nobody is served then.
  std::size_t waiting() const;

 private:
  friend class Permit;
  struct Waiter {
    std::int64_t weight;
    std::condition_variable woken;
    bool served = false;
  };
  std::int64_t checked(std::uint64_t n) const;
  void put_back(std::uint64_t n) noexcept;
  void reweigh(std::uint64_t held, std::uint64_t wanted);

  // Under the lock.
  bool take(std::int64_t weight) noexcept;
  void give(std::int64_t weight) noexcept;

  const std::uint64_t total_;
  mutable std::mutex mutex_;
  std::int64_t free_;
  std::list<Waiter*> waiters_;  // the first does not fit into what is free
};

}  // namespace millrace::inline v1
