// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <tbb/concurrent_queue.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

#include "millrace/channel.hpp"

namespace millrace_bench {

/// What a value is here; the same for every queue, and in channels.go.
using Value = long;

/// Each queue in the same words: push and pop wait, and neither fails in these jobs.
class Ours {
 public:
  explicit Ours(std::size_t capacity)
      : channel_(capacity), to_(channel_.sender()), from_(channel_.receiver()) {}
  void push(Value value) { (void)to_.push(context_, std::move(value)); }
  Value pop() { return *from_.pop(context_); }

 private:
  millrace::Channel<Value> channel_;
  millrace::Sender<Value> to_;
  millrace::Receiver<Value> from_;
  millrace::Context context_;
};

class Tbb {
 public:
  explicit Tbb(std::size_t capacity) { queue_.set_capacity(static_cast<std::ptrdiff_t>(capacity)); }
  void push(Value value) { queue_.push(value); }
  Value pop() {
    Value value{};
    queue_.pop(value);
    return value;
  }

 private:
  tbb::concurrent_bounded_queue<Value> queue_;
};

/// The least there can be: a mutex, two condition variables, no cancelling, no order of waiters.
class Ring {
 public:
  explicit Ring(std::size_t capacity) : slots_(capacity) {}
  void push(Value value) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [this] { return size_ < slots_.size(); });
    slots_[(head_ + size_++) % slots_.size()] = value;
    lock.unlock();
    not_empty_.notify_one();
  }
  Value pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [this] { return size_ > 0; });
    const Value value = slots_[head_];
    head_ = (head_ + 1) % slots_.size();
    --size_;
    lock.unlock();
    not_full_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::vector<Value> slots_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace millrace_bench
