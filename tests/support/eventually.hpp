// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <thread>

namespace millrace_test {

/// Looks until it is so; false when the time is over, so that a broken law is no hang. The time is
/// for machines on which a thread may stand still for seconds.
template <class Condition>
bool eventually(Condition condition, std::chrono::seconds limit = std::chrono::minutes(4)) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace millrace_test
