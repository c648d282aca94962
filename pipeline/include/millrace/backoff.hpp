// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// How long to wait before each further attempt: at first up to `first`, then up to twice as long
/// as before, never longer than `longest`. A random part of it, at least half, is waited, so that
/// what failed together does not come again together. The same seed gives the same waits.
/// [one thread]
///
///     Backoff backoff(1s, 30s);
///     while (!attempt() && context.sleep_for(backoff.next())) {}
class Backoff {
 public:
  using Duration = Context::Clock::duration;

  Backoff(Duration first, Duration longest, std::uint32_t seed = std::random_device{}())
      : bound_(std::clamp(first, Duration::zero(), std::max(longest, Duration::zero()))),
        longest_(std::max(longest, Duration::zero())),
        random_(seed) {}

  Duration next() {
    const Duration bound = bound_;
    bound_ = bound > longest_ / 2 ? longest_ : 2 * bound;
    const Duration half = bound / 2;
    return half + Duration(std::uniform_int_distribution<Duration::rep>(
                      0, (bound - half).count())(random_));
  }

 private:
  Duration bound_;
  Duration longest_;
  std::mt19937 random_;  // not minstd_rand: neighbouring seeds would begin alike
};

}  // namespace millrace::inline v1
