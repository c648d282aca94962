// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/backoff.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "support/catch.hpp"

using namespace millrace;
using namespace std::chrono_literals;

TEST_CASE("the example of backoff.hpp: attempts until one works", "[rate_limiter]") {
  const Context context;
  int attempts = 0;
  const auto attempt = [&] { return ++attempts == 3; };
  Backoff backoff(1ms, 2ms);
  while (!attempt() && context.sleep_for(backoff.next())) {
  }
  CHECK(attempts == 3);
}

TEST_CASE("waits between attempts double up to the longest, and vary by half", "[rate_limiter]") {
  Context::Clock::duration bound = 1s;
  std::vector<bool> low(6), high(6);
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    Backoff backoff(1s, 10s, seed), again(1s, 10s, seed);
    bound = 1s;
    for (std::size_t i = 0; i < 6;
         ++i, bound = std::min<Context::Clock::duration>(10s, 2 * bound)) {
      const auto wait = backoff.next();
      CHECK((wait >= bound / 2 && wait <= bound));
      CHECK(again.next() == wait);
      (wait < 3 * bound / 4 ? low : high)[i] = true;
    }
  }
  CHECK(low == std::vector<bool>(6, true));
  CHECK(high == std::vector<bool>(6, true));
}

TEST_CASE("waits of nothing, and of all the time there is, are waits", "[rate_limiter]") {
  CHECK(Backoff(0s, 0s).next() == 0s);
  CHECK(Backoff(5s, 1s).next() <= 1s);
  CHECK(Backoff(-1s, -1s).next() == 0s);
  Backoff longest(Context::Clock::duration::max() / 3, Context::Clock::duration::max());
  for (int i = 0; i < 4; ++i) CHECK(longest.next() > 0s);
}
