// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <mutex>

namespace millrace::inline v1 {

/// Tells the CPU that this thread looks again and again: some ten nanoseconds.
inline void pause_briefly() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// A mutex for sections of nanoseconds: who finds it locked looks a few times before sleeping, at
/// intervals that double, so that two cores which pass values to each other need no system call.
/// [any thread, at once]
class BriefMutex : public std::mutex {
 public:
  void lock() {
    for (int pauses = 4; pauses < 256; pauses *= 2) {
      if (try_lock()) return;
      for (int i = 0; i < pauses; ++i) pause_briefly();
    }
    std::mutex::lock();
  }
};

}  // namespace millrace::inline v1
