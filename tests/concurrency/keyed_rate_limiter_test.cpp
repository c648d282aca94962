// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "concurrency/turns.hpp"
#include "millrace/error.hpp"
#include "millrace/rate_limiter.hpp"
#include "support/catch.hpp"

using namespace millrace_test;

TEST_CASE("the example of rate_limiter.hpp: a limit for each host", "[rate_limiter]") {
  const Context context;
  KeyedRateLimiter<std::string> hosts({.per_second = 0.001},
                                      RateLimit{.per_second = 1000, .burst = 2});
  CHECK(hosts.wait(context, "a.example"));
  CHECK(hosts.wait(context, "b.example"));
  CHECK_FALSE(hosts.wait(context.child(10ms), "a.example"));
}

TEST_CASE("each key has its own limit, beside the one for all", "[rate_limiter]") {
  set_time = start;
  KeyedRateLimiter<std::string> hosts({.per_second = 1, .burst = 2},
                                      RateLimit{.per_second = 1, .burst = 5}, told_time);
  for (const bool expected : {true, true, false}) CHECK(hosts.try_take("a") == expected);
  for (const bool expected : {true, true, false}) CHECK(hosts.try_take("b") == expected);
  for (const bool expected : {true, false}) CHECK(hosts.try_take("c") == expected);
  advance(1s);
  CHECK(hosts.try_take("a"));  // the only one of all
  CHECK_FALSE(hosts.try_take("b"));
}

TEST_CASE("a key that waits keeps no other waiting", "[rate_limiter]") {
  KeyedRateLimiter<int> keys({.per_second = 0.001}, RateLimit{.per_second = 1000});
  const Context context;
  REQUIRE(keys.wait(context, 1));
  Turns turns;
  turns.start([&] { return keys.wait(context, 1); });
  REQUIRE(eventually([&] { return keys.waiting() == 1; }));
  for (int key = 2; key < 6; ++key) CHECK(keys.wait(Context(), key));
  context.cancel();
  CHECK(turns.is(0, false));
}

TEST_CASE("keys that wait for the limit of all are served as they came", "[rate_limiter]") {
  set_time = start;
  KeyedRateLimiter<int> keys({.per_second = 1}, RateLimit{.per_second = 0.001}, told_time);
  REQUIRE(keys.try_take(0));
  Turns turns;
  for (int key = 1; key < 4; ++key) {
    turns.start([&, key] { return keys.wait(turns.all, key); });
    REQUIRE(eventually([&] { return keys.waiting() == std::size_t(key); }));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    advance(1000s);
    CHECK_FALSE(keys.try_take(9));
    CHECK(turns.is(i, true));
    CHECK(keys.waiting() == 2 - i);
  }
}

TEST_CASE("a key that is due earlier than who sleeps is served in its time", "[rate_limiter]") {
  KeyedRateLimiter<int> keys({.per_second = 0.001});
  keys.pause_until(2, Context::Clock::now() + 40ms);
  const Context context;
  REQUIRE(keys.try_take(1));
  Turns turns;
  turns.start([&] { return keys.wait(context, 1); });
  REQUIRE(eventually([&] { return keys.waiting() == 1; }));
  turns.start([&] { return keys.wait(turns.all, 2); });
  CHECK(turns.is(1, true));
  context.cancel();
}

TEST_CASE("one key is paused without the others, and all with one call", "[rate_limiter]") {
  set_time = start;
  KeyedRateLimiter<int> keys({.per_second = 10}, RateLimit{.per_second = 10, .burst = 10},
                             told_time);
  keys.pause_until(1, start + 10s);
  CHECK_FALSE(keys.try_take(1));
  CHECK(keys.try_take(2));
  keys.pause_all_until(start + 20s);
  CHECK_FALSE(keys.try_take(3));
  advance(20s);
  CHECK(keys.try_take(1));
  CHECK_FALSE(keys.try_take(3));
}

TEST_CASE("keys are forgotten when their limit is untouched, and not before", "[rate_limiter]") {
  static std::atomic<int> living = 0;
  struct Key {
    explicit Key(int n) : number(n) { ++living; }
    Key(const Key& other) : number(other.number) { ++living; }
    ~Key() { --living; }
    auto operator<=>(const Key& other) const { return number <=> other.number; }
    int number;
  };
  set_time = start;
  KeyedRateLimiter<Key> keys({.per_second = 1}, {}, told_time);
  keys.pause_until(Key(-1), start + 10h);
  for (int i = 0; i < 5000; ++i) {
    REQUIRE(keys.try_take(Key(i)));
    CHECK_FALSE(keys.try_take(Key(i)));
    CHECK_FALSE(keys.try_take(Key(-1)));
    if (i % 20 == 0) advance(1s);
  }
  CHECK(living <= 100);
}
