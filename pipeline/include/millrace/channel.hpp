// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "millrace/channel_queue.hpp"

namespace millrace::inline v1 {

template <class T>
class Sender;
template <class T>
class Receiver;
class Select;

/// A bounded queue between threads: a push waits while it is full, a pop while it is empty.
/// Capacity 0 is a hand-over: a push ends when a pop has the value. Values come out in the order
/// in which they went in, and waiters are served first come, first served: a value or a place is
/// handed to the waiter itself, so that one who leaves takes no wake-up with it.
///
/// When the last Sender is gone the channel is closed for good: pops give what is left, then
/// `closed`. To cancel is the context's matter, and leaves the channel as it is. This object and
/// its ends share what is inside; any of them may go first. [any thread, at once]
///
///     Channel<int> channel(4);
///     std::jthread producer([&, to = channel.sender()] { sent = to.push(context, 42); });
///     for (int value : channel.receiver().each(context)) use(value);
template <class T>
class Channel {
 public:
  explicit Channel(std::size_t capacity = 0) : queue_(std::make_shared<Queue>(capacity)) {}

  Sender<T> sender() const { return Sender<T>(queue_); }
  Receiver<T> receiver() const { return Receiver<T>(queue_); }

  /// Closes although there are senders: whoever waits to push keeps its value. False: it was
  /// closed.
  bool close() const { return queue_->close(); }

  std::size_t capacity() const noexcept { return queue_->capacity; }
  ChannelCounts counts() const { return queue_->counts(); }

 private:
  friend class Sender<T>;
  friend class Receiver<T>;
  using Queue = ChannelQueue<T>;
  std::shared_ptr<Queue> queue_;
};

/// The end to push into; a copy is one more sender. Default-made or given up, it belongs to no
/// channel and every push says `closed`.
template <class T>
class Sender {
 public:
  Sender() = default;
  Sender(const Sender& other) : Sender(other.queue_) {}
  Sender(Sender&& other) noexcept : queue_(std::move(other.queue_)) {}
  Sender& operator=(Sender other) noexcept {
    std::swap(queue_, other.queue_);
    return *this;
  }
  ~Sender() { close(); }

  /// Waits for a place. `value` is moved from when the status is `ok`, and untouched otherwise.
  /// A context that is done already fails first.
  [[nodiscard]] ChannelStatus push(const Context& context, T&& value) const {
    return queue_ ? queue_->push(context, value) : ChannelStatus::closed;
  }
  /// Never waits, and never overtakes a push that does.
  [[nodiscard]] ChannelStatus try_push(T&& value) const {
    return queue_ ? queue_->try_push(value) : ChannelStatus::closed;
  }

  /// Gives this end up. False: it was given up before.
  bool close() noexcept {
    const auto queue = std::exchange(queue_, nullptr);
    if (queue) queue->leave();
    return queue != nullptr;
  }

 private:
  friend class Channel<T>;
  friend class Select;
  using Queue = ChannelQueue<T>;
  explicit Sender(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {
    if (queue_) queue_->join();
  }
  std::shared_ptr<Queue> queue_;
};

/// The end to pop from; copies share it.
template <class T>
class Receiver {
 public:
  /// Waits for a value. A context that is done already fails first; what is left is had by
  /// try_pop().
  [[nodiscard]] Popped<T> pop(const Context& context) const { return queue_->pop(context); }
  [[nodiscard]] Popped<T> try_pop() const { return queue_->try_pop(); }

  /// For a range-for: every value until the channel is closed and empty, or the context ends.
  class Each {
   public:
    struct Iterator {
      T& operator*() noexcept { return *value; }
      Iterator& operator++() {
        value.reset();
        if (auto popped = from->queue_->pop(from->context_)) value.emplace(std::move(*popped));
        return *this;
      }
      bool operator==(std::default_sentinel_t) const noexcept { return !value; }
      const Each* from;
      std::optional<T> value;
    };
    Iterator begin() const {
      Iterator first{this, std::nullopt};
      ++first;
      return first;
    }
    std::default_sentinel_t end() const noexcept { return {}; }

   private:
    friend class Receiver;
    Each(std::shared_ptr<ChannelQueue<T>> queue, const Context& context)
        : queue_(std::move(queue)), context_(context) {}
    std::shared_ptr<ChannelQueue<T>> queue_;
    Context context_;
  };
  Each each(const Context& context) const { return Each(queue_, context); }

 private:
  friend class Channel<T>;
  friend class Select;
  using Queue = ChannelQueue<T>;
  explicit Receiver(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}
  std::shared_ptr<Queue> queue_;
};

}  // namespace millrace::inline v1
