// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "millrace/guarded.hpp"
#include "millrace/run.hpp"

namespace millrace::inline v1 {

/// The few inputs of a run that took longest. [any thread, at once]
class Slowest {
 public:
  static constexpr std::size_t most = 10;

  /// Cheap, and asked of every input: false for nearly all of them.
  bool has_place_for(Context::Clock::duration elapsed) const noexcept {
    return elapsed.count() > bar_.load(std::memory_order_relaxed);
  }
  void add(ItemEnd end);
  std::vector<ItemEnd> all() const {
    return ends_.read([](const auto& ends) { return ends; });
  }

 private:
  std::atomic<Context::Clock::rep> bar_ = -1;  // the shortest of a full list
  Guarded<std::vector<ItemEnd>> ends_;         // the slowest first
};

}  // namespace millrace::inline v1
