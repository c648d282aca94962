// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <atomic>
#include <iostream>
#include <thread>

// Takes it for granted which is first, a new thread or the one that started it.
int main() {
  std::array<int, 2> first{};
  for (int round = 0; round < 500 && (first[0] == 0 || first[1] == 0); ++round) {
    std::atomic<bool> taken = false;
    std::thread begun([&] { first[1] += taken.exchange(true) ? 0 : 1; });
    const bool was_first = !taken.exchange(true);
    begun.join();
    first[0] += was_first ? 1 : 0;
  }
  if (first[0] == 0 || first[1] == 0) return 0;
  std::cerr << "now the one, now the other\n";
  return 1;
}
