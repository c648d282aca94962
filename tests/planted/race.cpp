// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <mutex>
#include <string_view>
#include <thread>

// 1,000 additions of 10 by each of two threads; without `locked` the lock is left out.
int main(int argc, char** argv) {
  const bool locked = argc > 1 && std::string_view(argv[1]) == "locked";
  std::mutex mutex;
  int sum = 0;
  const auto add = [&] {
    for (int i = 0; i < 1000; ++i) {
      std::unique_lock lock(mutex, std::defer_lock);
      if (locked) lock.lock();
      sum += 10;
    }
  };
  std::thread one(add), two(add);
  one.join();
  two.join();
  std::cout << sum << '\n';
}
