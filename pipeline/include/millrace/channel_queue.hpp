// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "millrace/channel_core.hpp"
#include "millrace/channel_ring.hpp"
#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// What a pop gives: a value exactly if the status is `ok`.
template <class T>
struct Popped {
  ChannelStatus status;
  std::optional<T> value;

  explicit operator bool() const noexcept { return value.has_value(); }
  T& operator*() noexcept { return *value; }
  T* operator->() noexcept { return &*value; }
};

/// What a channel and its ends share.
template <class T>
class ChannelQueue final : public ChannelCore {
  static_assert(std::is_nothrow_move_constructible_v<T>, "a value must not get lost on its way");

 public:
  explicit ChannelQueue(std::size_t limit) : ChannelCore(limit), items_(limit) {}

  ChannelStatus push(const Context& context, T& value) {
    if (const auto end = ended(context)) return *end;
    ChannelTurn* served = nullptr;
    std::unique_lock lock(mutex_);
    const auto status = give(value, served);
    if (status == ChannelStatus::would_block)
      return wait(lock, pushers_, &value, context, blocked_full_);
    lock.unlock();
    wake(served);
    return status;
  }

  ChannelStatus try_push(T& value) {
    ChannelTurn* served = nullptr;
    std::unique_lock lock(mutex_);
    const auto status = give(value, served);
    lock.unlock();
    wake(served);
    return status;
  }

  Popped<T> pop(const Context& context) {
    Popped<T> popped{};
    if (const auto end = ended(context)) {
      popped.status = *end;
      return popped;
    }
    ChannelTurn* served = nullptr;
    std::unique_lock lock(mutex_);
    popped.status = take(popped.value, served);
    if (popped.status == ChannelStatus::would_block) {
      popped.status = wait(lock, poppers_, &popped.value, context, blocked_empty_);
    } else {
      lock.unlock();
      wake(served);
    }
    return popped;
  }

  Popped<T> try_pop() {
    Popped<T> popped{};
    ChannelTurn* served = nullptr;
    std::unique_lock lock(mutex_);
    popped.status = take(popped.value, served);
    lock.unlock();
    wake(served);
    return popped;
  }

 private:
  ChannelStatus give_from(void* value, ChannelTurn*& served) override {
    return give(*static_cast<T*>(value), served);
  }
  ChannelStatus take_into(void* slot, ChannelTurn*& served) noexcept override {
    return take(*static_cast<std::optional<T>*>(slot), served);
  }
  std::size_t depth() const noexcept override { return items_.size(); }

  ChannelStatus give(T& value, ChannelTurn*& served) {
    if (closed_) return ChannelStatus::closed;
    if ((served = claim_first(poppers_))) {
      static_cast<std::optional<T>*>(served->value)->emplace(std::move(value));
    } else if (!items_.full()) {
      items_.push(std::move(value));
      if (items_.size() > high_water_) high_water_ = items_.size();
    } else {
      return ChannelStatus::would_block;
    }
    return ChannelStatus::ok;
  }

  ChannelStatus take(std::optional<T>& into, ChannelTurn*& served) noexcept {
    if (!items_.empty()) {
      items_.pop(into);
      if ((served = claim_first(pushers_))) items_.push(std::move(own_value(*served)));
    } else if ((served = claim_first(pushers_))) {
      into.emplace(std::move(own_value(*served)));
    } else {
      return closed_ ? ChannelStatus::closed : ChannelStatus::would_block;
    }
    return ChannelStatus::ok;
  }

  static T& own_value(ChannelTurn& pusher) noexcept { return *static_cast<T*>(pusher.value); }

  ChannelRing<T> items_;
};

}  // namespace millrace::inline v1
