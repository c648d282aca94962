// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>

#include "millrace/brief_mutex.hpp"
#include "millrace/context.hpp"
#include "millrace/linked.hpp"

namespace millrace::inline v1 {

/// How an operation on a channel ended. Whatever is not `ok` has changed nothing.
enum class ChannelStatus { ok, would_block, closed, cancelled, deadline };

/// The status for a context that has ended.
std::optional<ChannelStatus> ended(const Context& context) noexcept;

struct ChannelCounts {
  std::size_t depth = 0;                     ///< Values inside now.
  std::size_t high_water = 0;                ///< The most there ever were.
  std::size_t pushers = 0;                   ///< Who wait to push now.
  std::size_t poppers = 0;                   ///< Who wait to pop now.
  Context::Clock::duration blocked_full{};   ///< Time that pushes waited, summed.
  Context::Clock::duration blocked_empty{};  ///< Time that pops waited, summed.
};

struct ChannelTurn;

/// A call that waits for its turn in one channel, or by a Select in several. Whoever claims it
/// first decides how it ends: one who serves it, or the call itself because its context ended.
class ChannelWaiter {
 public:
  ChannelWaiter();
  ChannelWaiter(const ChannelWaiter&) = delete;
  ChannelWaiter& operator=(const ChannelWaiter&) = delete;

  /// True for the first one only.
  bool claim() noexcept;

  /// By who claimed it, without a channel's lock; the waiter may be gone when this returns.
  void serve(ChannelTurn& turn, ChannelStatus outcome) noexcept;

  /// Looks a while without sleeping; true when it was served meanwhile, which cost nobody a
  /// wake-up.
  bool watch() const noexcept;

  /// The turn that was served; none when the context ended first.
  ChannelTurn* wait(const Context& context) noexcept;

 private:
  enum class Phase { awake, asleep, served };
  struct Bed;
  static Bed& own_bed();

  Bed& bed_;
  std::atomic<bool> claimed_ = false;
  std::atomic<Phase> phase_ = Phase::awake;
  ChannelTurn* served_ = nullptr;
};

/// A waiter's place in one channel's line.
struct ChannelTurn : Linked<ChannelTurn> {
  ChannelTurn() = default;

  ChannelWaiter* waiter = nullptr;
  void* value = nullptr;  // the T to push, or the std::optional<T> to fill
  ChannelStatus outcome{};
};

/// What is the same in every channel. The lock is never held while somebody is woken: one who is
/// served is claimed and taken out of the line under it, and woken after.
class ChannelCore {
 public:
  explicit ChannelCore(std::size_t limit) : capacity(limit) {}
  ChannelCore(const ChannelCore&) = delete;
  ChannelCore& operator=(const ChannelCore&) = delete;

  const std::size_t capacity;

  void join();
  void leave() noexcept;
  bool close() noexcept;
  ChannelCounts counts() const;

 protected:
  friend class Select;
  using Line = LinkedList<ChannelTurn>;
  using Ticks = std::atomic<Context::Clock::rep>;
  virtual ~ChannelCore();

  // Under the lock: as far as it can be done at once. Whoever is served by it goes to `served`.
  virtual ChannelStatus give_from(void* value, ChannelTurn*& served) = 0;
  virtual ChannelStatus take_into(void* slot, ChannelTurn*& served) noexcept = 0;
  virtual std::size_t depth() const noexcept = 0;

  /// The first of a line whom nobody has served elsewhere; it has left the line.
  static ChannelTurn* claim_first(Line& line) noexcept {
    while (ChannelTurn* const turn = line.remove_first())
      if (turn->waiter->claim()) return turn;
    return nullptr;
  }

  static void wake(ChannelTurn* served) noexcept {
    if (served) served->waiter->serve(*served, ChannelStatus::ok);
  }

  /// Adds a waiter to the line, unlocks, and waits for its turn.
  ChannelStatus wait(std::unique_lock<BriefMutex>& lock, Line& line, void* value,
                     const Context& context, Ticks& blocked);

  mutable BriefMutex mutex_;
  Line pushers_;  // wait only while it is full
  Line poppers_;  // wait only while it is empty
  bool closed_ = false;
  std::size_t high_water_ = 0;
  Ticks blocked_full_ = 0;
  Ticks blocked_empty_ = 0;

 private:
  bool served_soon(const ChannelWaiter& self) noexcept;

  std::size_t senders_ = 0;
  // How often those who wait were served before they would have slept; below 0, so many more waits
  // go to sleep at once. A guess: two who change it at once may lose a step.
  std::atomic<int> haste_ = 0;
};

}  // namespace millrace::inline v1
