// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <thread>
#include <vector>

#include "millrace/rate_limiter.hpp"
#include "support/live_threads.hpp"

namespace millrace_test {

using namespace millrace;
using namespace std::chrono_literals;
using Time = RateLimiter::Time;

inline constexpr Time start{1000h};
inline std::atomic<Time> set_time = start;
/// A clock that stands until it is told.
inline Time told_time() { return set_time; }
inline void advance(Context::Clock::duration step) { set_time = set_time.load() + step; }

inline int taken(RateLimiter& limiter) {
  int count = 0;
  while (limiter.try_take()) ++count;
  return count;
}

/// A thread that waits for a turn, and its answer.
struct Turns {
  ~Turns() { all.cancel(); }  // a broken law must not be a hang
  template <class Wait>
  void start(Wait wait) {
    answers.emplace_back(-1);
    threads.emplace_back([wait, into = &answers.back()] { *into = wait(); });
  }
  bool is(std::size_t at, bool answer) {
    return eventually([&] { return answers[at] >= 0; }) && (answers[at] == 1) == answer;
  }
  const Context all;
  std::deque<std::atomic<int>> answers;
  std::vector<std::jthread> threads;
};

}  // namespace millrace_test
