// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <thread>

#include "support/eventually.hpp"

namespace millrace_test {

inline std::size_t live_threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// Made at the start of a test, after a first thread: a sanitizer starts its own with that.
class ThreadCount {
 public:
  ThreadCount() {
    std::thread([] {}).join();
    before_ = 0;
    // A joined thread stays listed for a moment.
    for (std::size_t now = live_threads(); now != before_; now = live_threads()) {
      before_ = now;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  bool as_before() const {
    return eventually([this] { return live_threads() <= before_; });
  }
  std::size_t before() const { return before_; }

 private:
  std::size_t before_;
};

}  // namespace millrace_test
