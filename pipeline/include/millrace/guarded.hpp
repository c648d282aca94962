// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <type_traits>
#include <utility>

namespace millrace::inline v1 {

/// A lock that this thread holds or is about to. Every thread knows its own, so that the same one
/// a second time is an error and not a wait for ever. [one thread]
class HeldLock {
 public:
  /// Throws Error (internal) when this thread holds that lock already.
  explicit HeldLock(const void* lock);
  ~HeldLock();
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;

 private:
  const void* const lock_;
  const HeldLock* const outer_;
};

/// Held by many readers or by one writer, in the order in which they came: neither starves the
/// other, as std::shared_mutex lets readers do with glibc. Not recursive. [any thread, at once]
class FairLock {
 public:
  void lock();
  void unlock() noexcept;
  void lock_shared();
  void unlock_shared() noexcept;

 private:
  std::unique_lock<std::mutex> turn();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t last_ = 0;  // tickets: given
  std::uint64_t next_ = 0;  // and let in
  std::size_t readers_ = 0;
  bool writing_ = false;
};

/// What a function may give of a guarded value: no reference into it.
template <class F, class T>
concept GivesValue = std::invocable<F, T> && !std::is_reference_v<std::invoke_result_t<F, T>>;

/// A value beside its lock: there is no access without it. The function is called with the lock
/// held, so it does nothing long, waits for nothing and calls nobody else's code; asking for the
/// same value in it is an error that is thrown. [any thread, at once]
///
///     Guarded<std::vector<std::string>> names;
///     names.with([&](auto& list) { list.push_back(name); });
///     const auto count = names.read([](const auto& list) { return list.size(); });
template <class T>
class Guarded {
 public:
  Guarded() = default;
  explicit Guarded(T value) : value_(std::move(value)) {}
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  template <GivesValue<T&> F>
  auto with(F&& function) {
    const HeldLock held(&mutex_);
    const std::lock_guard lock(mutex_);
    return std::invoke(std::forward<F>(function), value_);
  }

  template <GivesValue<const T&> F>
  auto read(F&& function) const {
    const HeldLock held(&mutex_);
    const std::lock_guard lock(mutex_);
    return std::invoke(std::forward<F>(function), value_);
  }

 private:
  mutable std::mutex mutex_;
  T value_{};
};

/// The same for what is read far more often than written: readers are in at once, a writer is
/// alone, and they take turns as they came. Costs about twice as much as Guarded where nobody
/// waits, so it pays for reads that take long.
template <class T>
class SharedGuarded {
 public:
  SharedGuarded() = default;
  explicit SharedGuarded(T value) : value_(std::move(value)) {}
  SharedGuarded(const SharedGuarded&) = delete;
  SharedGuarded& operator=(const SharedGuarded&) = delete;

  template <GivesValue<T&> F>
  auto with(F&& function) {
    const HeldLock held(&lock_);
    const std::lock_guard lock(lock_);
    return std::invoke(std::forward<F>(function), value_);
  }

  template <GivesValue<const T&> F>
  auto read(F&& function) const {
    const HeldLock held(&lock_);
    const std::shared_lock lock(lock_);
    return std::invoke(std::forward<F>(function), value_);
  }

 private:
  mutable FairLock lock_;
  T value_{};
};

}  // namespace millrace::inline v1
