// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// A number of places, each held by one at a time. A place that gets free goes to the waiter of the
/// lowest rank, among equals to the one that came first. With a stage's distance from the sinks as
/// rank, what is nearly finished is finished before more is begun.
/// Outlives every Slot that it gave. [any thread, at once]
class Slots {
 public:
  /// A place that is held; it goes back with this object. [one thread]
  class Slot {
   public:
    Slot(Slot&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
    Slot& operator=(Slot other) noexcept {
      std::swap(owner_, other.owner_);
      return *this;
    }
    ~Slot() {
      if (owner_) owner_->put_back();
    }

   private:
    friend class Slots;
    explicit Slot(Slots& owner) noexcept : owner_(&owner) {}
    Slots* owner_;
  };

  explicit Slots(std::size_t count) : count_(count), free_(count) {}
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  /// Waits for a place; none when the context ended first.
  std::optional<Slot> acquire(const Context& context, std::size_t rank = 0);

  /// Never waits, and never takes a place before those who do.
  std::optional<Slot> try_acquire();

  std::size_t count() const noexcept { return count_; }
  std::size_t free() const;
  std::size_t waiting() const;

 private:
  struct Waiter {
    std::condition_variable woken;
    bool served = false;
  };
  void put_back() noexcept;

  const std::size_t count_;
  mutable std::mutex mutex_;
  std::size_t free_;
  std::multimap<std::size_t, Waiter*> waiters_;  // by rank; there are none while a place is free
};

}  // namespace millrace::inline v1
