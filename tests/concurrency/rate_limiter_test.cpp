// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/rate_limiter.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "concurrency/most.hpp"
#include "concurrency/turns.hpp"
#include "millrace/backoff.hpp"
#include "millrace/error.hpp"
#include "millrace/semaphore.hpp"
#include "support/catch.hpp"

using namespace millrace_test;

TEST_CASE("the example of rate_limiter.hpp: turns until the context ends", "[rate_limiter]") {
  const Context context;
  RateLimiter limiter({.per_second = 1000, .burst = 5});
  int calls = 0;
  while (limiter.wait(context))
    if (++calls == 10) context.cancel();
  CHECK(calls == 10);
}

TEST_CASE("a limiter gives its burst at once and then its rate", "[rate_limiter]") {
  set_time = start;
  RateLimiter limiter({.per_second = 20, .burst = 5}, told_time);
  CHECK(taken(limiter) == 5);
  advance(49ms);
  CHECK(taken(limiter) == 0);
  advance(1ms);
  CHECK(taken(limiter) == 1);
  advance(100ms);
  CHECK(taken(limiter) == 2);
  advance(1h);
  CHECK(taken(limiter) == 5);
}

TEST_CASE("over any time no more is granted than burst and rate allow", "[rate_limiter]") {
  std::mt19937 random(7);
  for (const double rate : {0.5, 3.0, 20.0, 7000.0}) {
    const std::uint64_t burst = random() % 5 + 1;
    set_time = start;
    RateLimiter limiter({.per_second = rate, .burst = burst}, told_time);
    std::vector<Time> grants;
    Time seen = start;
    for (int i = 0; i < 1500; ++i) {
      const bool back = random() % 50 == 0;
      const std::chrono::duration<double> step(double(random() % 100) / 60 / rate);
      advance(std::chrono::duration_cast<Context::Clock::duration>(back ? -9 * step : step));
      seen = std::max(seen, told_time());
      if (limiter.try_take()) grants.push_back(seen);
    }
    double worst = 0;
    for (std::size_t i = 0; i < grants.size(); ++i)
      for (std::size_t j = i; j < std::min(grants.size(), i + 60); ++j) {
        const std::chrono::duration<double> span = grants[j] - grants[i];
        worst = std::max(worst, double(j - i + 1) - double(burst) - rate * span.count());
      }
    CHECK(worst <= 1e-6);
    CHECK(grants.size() > 100);
  }
}

TEST_CASE("a clock that steps back mints nothing", "[rate_limiter]") {
  set_time = start;
  RateLimiter limiter({.per_second = 1, .burst = 3}, told_time);
  CHECK(taken(limiter) == 3);
  advance(2s);
  CHECK(taken(limiter) == 2);
  advance(-1h);
  CHECK(taken(limiter) == 0);
  advance(1h);
  CHECK(taken(limiter) == 0);
  advance(1s);
  CHECK(taken(limiter) == 1);
}

TEST_CASE("turns that are waited for come at the rate", "[rate_limiter]") {
  RateLimiter limiter({.per_second = 200, .burst = 2});
  const auto since = Context::Clock::now();
  for (int i = 0; i < 12; ++i) REQUIRE(limiter.wait(Context()));
  CHECK(Context::Clock::now() - since >= 50ms);
}

TEST_CASE("threads together get no more than the rate", "[rate_limiter]") {
  RateLimiter limiter({.per_second = 1000, .burst = 4});
  const auto since = Context::Clock::now();
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 10; ++turn) (void)limiter.wait(Context());
    });
  threads.clear();
  CHECK(Context::Clock::now() - since >= 56ms);
  CHECK(limiter.waiting() == 0);
}

TEST_CASE("turns are given first come, first served, and a try overtakes nobody",
          "[rate_limiter]") {
  set_time = start;
  RateLimiter limiter({.per_second = 0.001}, told_time);
  REQUIRE(limiter.try_take());
  Turns turns;
  for (std::size_t i = 1; i <= 4; ++i) {
    turns.start([&] { return limiter.wait(turns.all); });
    REQUIRE(eventually([&] { return limiter.waiting() == i; }));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    advance(1000s);
    CHECK_FALSE(limiter.try_take());
    CHECK(turns.is(i, true));
    CHECK(limiter.waiting() == 3 - i);
  }
}

TEST_CASE("a wait for a turn ends with its context and uses nothing up", "[rate_limiter]") {
  set_time = start;
  RateLimiter limiter({.per_second = 0.001}, told_time);
  const Context context, second;
  REQUIRE(limiter.wait(context));
  Turns turns;
  turns.start([&] { return limiter.wait(context); });
  REQUIRE(eventually([&] { return limiter.waiting() == 1; }));
  turns.start([&] { return limiter.wait(second); });
  REQUIRE(eventually([&] { return limiter.waiting() == 2; }));
  context.cancel();
  CHECK(turns.is(0, false));
  CHECK(limiter.waiting() == 1);
  CHECK_FALSE(limiter.wait(context));
  advance(1000s);
  limiter.pause_until(start);  // wakes who waits: the clock of this test moves unseen
  CHECK(turns.is(1, true));
}

TEST_CASE("a turn comes in its time although who waited longest has left", "[rate_limiter]") {
  RateLimiter limiter({.per_second = 20});
  limiter.pause_until(Context::Clock::now() + 50ms);
  const Context context;
  Turns turns;
  turns.start([&] { return limiter.wait(context); });
  REQUIRE(eventually([&] { return limiter.waiting() == 1; }));
  turns.start([&] { return limiter.wait(turns.all); });
  REQUIRE(eventually([&] { return limiter.waiting() != 1 || turns.answers[0] == 1; }));
  context.cancel();
  CHECK(turns.is(1, true));
}

TEST_CASE("a wait that cannot end before its deadline fails at once", "[rate_limiter]") {
  RateLimiter limiter({.per_second = 0.001});
  REQUIRE(limiter.try_take());
  const auto since = Context::Clock::now();
  CHECK_FALSE(limiter.wait(Context().child(500s)));
  CHECK(Context::Clock::now() - since < 250s);
}

TEST_CASE("who waits already counts for whether a deadline can be met", "[rate_limiter]") {
  RateLimiter limiter({.per_second = 0.001});
  REQUIRE(limiter.try_take());
  const Context first;
  Turns turns;
  turns.start([&] { return limiter.wait(first); });
  REQUIRE(eventually([&] { return limiter.waiting() == 1; }));
  const auto since = Context::Clock::now();
  CHECK_FALSE(limiter.wait(Context().child(1500s)));
  CHECK(Context::Clock::now() - since < 250s);
  first.cancel();
  CHECK(turns.is(0, false));
}

TEST_CASE("a pause fails at once whoever cannot wait so long", "[rate_limiter]") {
  set_time = start;
  RateLimiter limiter({.per_second = 0.02}, told_time);
  REQUIRE(limiter.try_take());
  const Context patient;
  Turns turns;
  turns.start([&] { return limiter.wait(patient); });
  REQUIRE(eventually([&] { return limiter.waiting() == 1; }));
  turns.start([&] { return limiter.wait(turns.all.child(1000s)); });
  REQUIRE(eventually([&] { return limiter.waiting() == 2; }));
  limiter.pause_until(start + 2000s);
  CHECK(turns.is(1, false));
  CHECK(limiter.waiting() == 1);
  patient.cancel();
}

TEST_CASE("nothing is granted in a pause, and no burst after it", "[rate_limiter]") {
  set_time = start;
  RateLimiter limiter({.per_second = 10, .burst = 5}, told_time);
  limiter.pause_until(start + 60s);
  limiter.pause_until(start + 30s);  // never shortens
  advance(60s - 1ns);
  CHECK(taken(limiter) == 0);
  advance(1ns);
  CHECK(taken(limiter) == 1);
  advance(200ms);
  CHECK(taken(limiter) == 2);
}

TEST_CASE("a pause to the end of time is one", "[rate_limiter]") {
  RateLimiter limiter({.per_second = 1e12, .burst = 3});
  limiter.pause_until(Time::max());
  CHECK_FALSE(limiter.try_take());
  CHECK_FALSE(limiter.wait(Context().child(1s)));
}

TEST_CASE("a rate that cannot be kept is an error", "[rate_limiter]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double rate : {0.0, -1.0, 1e-10, nan})
    CHECK_THROWS_AS(RateLimiter({.per_second = rate}), Error);
  CHECK_THROWS_WITH(RateLimiter({.per_second = 2, .burst = 0}), ContainsSubstring("burst of 0"));
}

TEST_CASE("a rate and a number at once hold together", "[rate_limiter]") {
  RateLimiter limiter({.per_second = 500});
  Semaphore semaphore(3);
  Most most;
  const auto since = Context::Clock::now();
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      for (int call = 0; call < 5; ++call) {
        if (!limiter.wait(Context())) return;
        const auto permit = semaphore.acquire(Context());
        const auto inside = most.enter();
        std::this_thread::sleep_for(3ms);
      }
    });
  threads.clear();
  CHECK(most.reached() <= 3);
  CHECK(Context::Clock::now() - since >= 58ms);
}

TEST_CASE("retries after an overload stay inside the limit and wait as they were told",
          "[rate_limiter]") {
  RateLimiter limiter({.per_second = 500, .burst = 2});
  const auto since = Context::Clock::now();
  std::mutex mutex;
  std::vector<Time> sent;
  std::atomic<Time> told = Time::min();
  std::atomic<int> early = 0;
  const auto call = [&] {  // the server: overloaded for its third to sixth request
    const std::lock_guard lock(mutex);
    sent.push_back(Context::Clock::now());
    if (sent.size() < 3 || sent.size() > 6) return true;
    if (sent.size() == 3) {
      const Time until = sent.back() + 20ms;
      limiter.pause_until(until);
      told = until;
    }
    return false;
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < 6; ++i)
      threads.emplace_back([&, i] {
        Backoff backoff(1ms, 4ms, i);
        while (true) {
          const Time pause = told;
          if (limiter.wait(Context()) && Context::Clock::now() < pause) ++early;
          if (call() || !Context().sleep_for(backoff.next())) break;
        }
      });
  }
  const std::chrono::duration<double> span = Context::Clock::now() - since;
  CHECK(sent.size() == 10);
  CHECK(double(sent.size()) <= 2 + 500 * span.count());
  CHECK(early == 0);
}

TEST_CASE("waits for a turn leave no thread behind", "[rate_limiter]") {
  const millrace_test::ThreadCount before;
  {
    RateLimiter limiter({.per_second = 1000});
    for (int i = 0; i < 5; ++i) CHECK(limiter.wait(Context()));
    CHECK(millrace_test::live_threads() <= before.before());
  }
  CHECK(before.as_before());
}

TEST_CASE("a storm of turns and cancels keeps the rate and strands nobody", "[rate_limiter]") {
  KeyedRateLimiter<unsigned> keys({.per_second = 4000, .burst = 2},
                                  RateLimit{.per_second = 5000, .burst = 3});
  const auto since = Context::Clock::now();
  std::atomic<int> granted = 0;
  std::vector<std::jthread> threads;
  for (unsigned seed = 1; seed <= 6; ++seed)
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int i = 0; i < 60; ++i) {
        const auto room = std::chrono::microseconds(random() % 1500);
        const Context context = i == 0 ? Context() : Context().child(room);
        granted += keys.wait(context, unsigned(random() % 3));
      }
    });
  threads.clear();
  const std::chrono::duration<double> span = Context::Clock::now() - since;
  CHECK(granted > 0);
  CHECK(granted <= 3 + 5000 * span.count());
  CHECK(keys.waiting() == 0);
}
