// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace millrace_test {

/// How often a test that repeats itself does so: `count` times, and an eighth of it under a
/// sanitizer, where each costs about ten times as much.
constexpr int rounds(int count) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return (count + 7) / 8;
#else
  return count;
#endif
}

}  // namespace millrace_test
