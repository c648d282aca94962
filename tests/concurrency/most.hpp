// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <fstream>
#include <memory>

#include "support/eventually.hpp"

namespace millrace_test {

/// The most that were inside at once. [any thread, at once]
class Most {
 public:
  void come() {
    const int now = ++inside_;
    for (int before = most_; before < now && !most_.compare_exchange_weak(before, now);) {
    }
  }
  void leave() { --inside_; }
  /// Inside until what it gives is gone.
  std::shared_ptr<void> enter() {
    come();
    return {this, [](void* most) { static_cast<Most*>(most)->leave(); }};
  }
  int reached() const { return most_; }

  /// Waits until so many have been inside at once; when nobody can any more, no longer.
  void wait_for(int count) {
    if (!eventually([&] { return most_ >= count || given_up_; })) given_up_ = true;
  }

 private:
  std::atomic<int> inside_ = 0, most_ = 0;
  std::atomic<bool> given_up_ = false;
};

inline std::size_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace millrace_test
