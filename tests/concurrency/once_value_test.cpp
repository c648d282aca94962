// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/once_value.hpp"

#include <atomic>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "millrace/error.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using millrace_test::eventually;

static_assert(!std::is_copy_constructible_v<OnceValue<int>>);

namespace {

/// A computing that is under way until it is let go on.
struct Gate {
  int pass(int value) {
    ++inside;
    eventually([this] { return open.load(); });
    return value;
  }
  bool is_entered() {
    return eventually([this] { return inside == 1; });
  }
  std::atomic<int> inside = 0;
  std::atomic<bool> open = false;
};

}  // namespace

TEST_CASE("the example of once_value.hpp computes a value once", "[once_value]") {
  const Context context;
  int reads = 0;
  const auto read_table = [&] { return std::vector<int>{++reads, 2}; };
  OnceValue<std::vector<int>> table;
  const auto& ready = table.get(context, [&] { return read_table(); });
  const auto& again = table.get(context, [&] { return read_table(); });
  CHECK(ready == std::vector<int>{1, 2});
  CHECK(&again == &ready);
}

TEST_CASE("the example of once_value.hpp shares a call and keeps nothing", "[once_value]") {
  const Context context;
  int calls = 0;
  SingleFlight<std::string, std::string> pages;
  const auto fetch = [&](const std::string& url) { return url + std::to_string(++calls); };
  const std::shared_ptr<const std::string> page =
      pages.get(context, "a", [&] { return fetch("a"); });
  CHECK(*page == "a1");
  CHECK(*pages.get(context, "a", [&] { return fetch("a"); }) == "a2");
}

TEST_CASE("of many callers one computes and all get its value", "[once_value]") {
  OnceValue<int> value;
  std::atomic<int> computed = 0, right = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const int& got = value.get(Context(), [&] {
        std::this_thread::sleep_for(2ms);
        return ++computed;
      });
      right += got == 1;
    });
  threads.clear();
  CHECK(computed == 1);
  CHECK(right == 8);
}

TEST_CASE("a failed value is the same error for everyone and is not tried again", "[once_value]") {
  OnceValue<int> value;
  std::atomic<int> computed = 0, failed = 0;
  const auto fail = [&]() -> int {
    ++computed;
    std::this_thread::sleep_for(1ms);
    throw Error(ErrorKind::config, "no such table");
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      try {
        value.get(Context(), fail);
      } catch (const Error& error) {
        failed += error.kind() == ErrorKind::config && error.what() == std::string("no such table");
      }
    });
  threads.clear();
  CHECK(computed == 1);
  CHECK(failed == 6);
  CHECK_THROWS_WITH(value.get(Context(), [] { return 1; }), "no such table");
}

TEST_CASE("whatever the computing throws is an Error for all", "[once_value]") {
  OnceValue<int> memory, other;
  for (int i = 0; i < 2; ++i) {
    try {
      memory.get(Context(), []() -> int { throw std::bad_alloc(); });
      FAIL();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::resource);
    }
    CHECK_THROWS_AS(other.get(Context(), []() -> int { throw 42; }), Error);
  }
}

TEST_CASE("a wait for a value ends with its context, and the computing goes on", "[once_value]") {
  OnceValue<int> value;
  Gate gate;
  std::jthread first([&] { value.get(Context(), [&] { return gate.pass(7); }); });
  REQUIRE(gate.is_entered());
  const auto never = []() -> int { throw std::logic_error("computed twice"); };
  CHECK_THROWS_WITH(value.get(Context().child(10ms), never), "the deadline has passed");
  const Context context;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(2ms);
    context.cancel();
  });
  CHECK_THROWS_WITH(value.get(context, never), "cancelled");
  gate.open = true;
  first.join();
  CHECK(value.get(context, never) == 7);  // it is there
}

TEST_CASE("nothing is computed for a context that has ended", "[once_value]") {
  OnceValue<int> value;
  const Context context;
  context.cancel();
  CHECK_THROWS_AS(value.get(context, [] { return 1; }), Error);
  CHECK(value.get(Context(), [] { return 2; }) == 2);
}

TEST_CASE("a computing that was cancelled is done by the next who waits", "[once_value]") {
  OnceValue<int> value;
  const Context context;
  Gate gate;
  std::atomic<bool> ended = false;
  int got = 0;
  std::jthread first([&] {
    try {
      value.get(context, [&] {
        gate.pass(0);
        context.check();
        return 1;
      });
    } catch (const Error& error) {
      ended = error.kind() == ErrorKind::cancelled;
    }
  });
  REQUIRE(gate.is_entered());
  std::jthread second([&] { got = value.get(Context(), [] { return 2; }); });
  std::this_thread::sleep_for(2ms);
  context.cancel();
  gate.open = true;
  second.join();
  first.join();
  CHECK(got == 2);
  CHECK(ended);
}

TEST_CASE("a value that needs itself is an error, not a wait for ever", "[once_value]") {
  OnceValue<int> value;
  const auto self = [&] { return value.get(Context(), [] { return 1; }) + 1; };
  CHECK_THROWS_WITH(value.get(Context(), self), ContainsSubstring("to compute itself"));
}

TEST_CASE("calls for one key at the same time are one, and other keys are not kept waiting",
          "[once_value]") {
  SingleFlight<int, int> flights;
  Gate gate;
  std::atomic<int> right = 0;
  std::vector<std::jthread> threads;
  const auto call = [&] { right += *flights.get(Context(), 1, [&] { return gate.pass(5); }) == 5; };
  threads.emplace_back(call);
  REQUIRE(gate.is_entered());
  for (int i = 0; i < 4; ++i) threads.emplace_back(call);
  CHECK(*flights.get(Context(), 2, [] { return 6; }) == 6);
  CHECK_THROWS_AS(flights.get(Context().child(5ms), 1, [] { return 0; }), Error);
  gate.open = true;
  threads.clear();
  CHECK(right == 5);
}

TEST_CASE("a shared call's error goes to those who waited, and the next call starts anew",
          "[once_value]") {
  SingleFlight<int, int> flights;
  Gate gate;
  std::atomic<int> failed = 0;
  const auto call = [&](auto compute) {
    try {
      flights.get(Context(), 1, compute);
    } catch (const Error& error) {
      failed += error.kind() == ErrorKind::transient;
    }
  };
  std::jthread first([&] {
    call([&]() -> int { throw Error(ErrorKind::transient, std::to_string(gate.pass(1))); });
  });
  REQUIRE(gate.is_entered());
  std::jthread second([&] { call([]() -> int { throw Error(ErrorKind::transient, "late"); }); });
  std::this_thread::sleep_for(2ms);
  gate.open = true;
  second.join();
  first.join();
  CHECK(failed == 2);
  CHECK(*flights.get(Context(), 1, [] { return 3; }) == 3);
}

TEST_CASE("a storm of shared calls gives every caller a value of its key", "[once_value]") {
  SingleFlight<unsigned, unsigned> flights;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (unsigned seed = 1; seed <= 6; ++seed)
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int i = 0; i < 200; ++i) {
        const auto key = unsigned(random() % 3);
        const Context context = Context().child(std::chrono::microseconds(random() % 300));
        try {
          wrong += *flights.get(context, key, [&] {
            std::this_thread::yield();
            context.check();
            return 10 * key;
          }) != 10 * key;
        } catch (const Error& error) {
          wrong += error.kind() != ErrorKind::cancelled;
        }
      }
    });
  threads.clear();
  CHECK(wrong == 0);
}
