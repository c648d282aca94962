// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace millrace::inline v1 {

/// The values inside a channel, oldest first. Takes room as they come, to the limit at most, and
/// keeps it. Signals, values of a type with nothing in it, are counted and not stored.
template <class T>
class ChannelRing {
  static constexpr bool stores = !(std::is_empty_v<T> && std::is_trivially_copyable_v<T> &&
                                   std::is_trivially_default_constructible_v<T>);

 public:
  static constexpr std::size_t bytes_per_value = stores ? sizeof(T) : 0;

  explicit ChannelRing(std::size_t limit) : limit_(limit) {}
  ~ChannelRing() {
    if constexpr (stores) {
      for (; size_ > 0; drop()) {
      }
      if (slots_) Slots().deallocate(slots_, room_);
    }
  }
  ChannelRing(const ChannelRing&) = delete;
  ChannelRing& operator=(const ChannelRing&) = delete;

  bool empty() const noexcept { return size_ == 0; }
  bool full() const noexcept { return size_ == limit_; }
  std::size_t size() const noexcept { return size_; }

  /// Not when full. When it throws, `value` is untouched.
  void push(T&& value) {
    if constexpr (stores) {
      if (size_ == room_) grow();
      std::construct_at(slots_ + place(size_), std::move(value));
    }
    ++size_;
  }

  /// Not when empty.
  void pop(std::optional<T>& into) noexcept {
    if constexpr (stores) {
      into.emplace(std::move(slots_[head_]));
      drop();
    } else {
      into.emplace();
      --size_;
    }
  }

 private:
  using Slots = std::allocator<T>;

  std::size_t place(std::size_t index) const noexcept {
    const std::size_t at = head_ + index;
    return at < room_ ? at : at - room_;
  }

  void drop() noexcept {
    std::destroy_at(slots_ + head_);
    head_ = place(1);
    --size_;
  }

  void grow() {
    const std::size_t room = std::min(limit_, std::max<std::size_t>(8, 2 * room_));
    T* const slots = Slots().allocate(room);
    for (std::size_t i = 0; i < size_; ++i) {
      std::construct_at(slots + i, std::move(slots_[place(i)]));
      std::destroy_at(slots_ + place(i));
    }
    if (slots_) Slots().deallocate(slots_, room_);
    slots_ = slots;
    room_ = room;
    head_ = 0;
  }

  const std::size_t limit_;
  T* slots_ = nullptr;
  std::size_t room_ = 0;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace millrace::inline v1
