// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <string_view>
#include <thread>

#include "support/eventually.hpp"

using namespace std::chrono_literals;

namespace {

struct Box {
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> filled = false;
  // The window between a look and the wait is held open until the other has notified, or, where
  // the lock keeps it from that, for a moment.
  std::atomic<bool> looked = false, notified = false;
};

void take(Box& box, bool under_the_lock) {
  std::unique_lock lock(box.mutex);
  while (!box.filled) {
    box.looked = true;
    for (int i = 0; !box.notified && (!under_the_lock || i < 100); ++i)
      std::this_thread::sleep_for(1ms);
    box.changed.wait(lock);
  }
}

void fill(Box& box, bool under_the_lock) {
  std::unique_lock lock(box.mutex, std::defer_lock);
  if (under_the_lock) lock.lock();
  box.filled = true;
  box.changed.notify_one();
  box.notified = true;
}

}  // namespace

// Without `under_the_lock` the notification falls between the waiter's look and its wait.
int main(int argc, char** argv) {
  const bool under_the_lock = argc > 1 && std::string_view(argv[1]) == "under_the_lock";
  Box box;
  std::atomic<bool> taken = false;
  std::thread taker([&] {
    take(box, under_the_lock);
    taken = true;
  });
  while (!box.looked) std::this_thread::yield();
  fill(box, under_the_lock);
  const bool ended =
      millrace_test::eventually([&] { return taken.load(); }, under_the_lock ? 60s : 5s);
  if (!ended) {
    std::cerr << "the waiter still waits\n";
    fill(box, true);
  }
  taker.join();
  return ended ? 0 : 1;
}
