// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/slots.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "concurrency/most.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using millrace_test::eventually;

static_assert(!std::is_copy_constructible_v<Slots::Slot>);

TEST_CASE("a slot goes back with its object", "[slots]") {
  Slots slots(2);
  {
    auto first = slots.acquire(Context());
    const auto second = slots.acquire(Context());
    CHECK(slots.free() == 0);
    const auto moved = std::move(first);
    CHECK(slots.free() == 0);
  }
  CHECK(slots.free() == 2);
}

TEST_CASE("a free slot goes to the lowest rank, then to the one that came first", "[slots]") {
  Slots slots(1);
  auto held = slots.acquire(Context());
  std::mutex mutex;
  std::vector<int> order;
  std::vector<std::jthread> threads;
  const std::size_t ranks[] = {3, 1, 2, 1, 0};
  for (int i = 0; i < 5; ++i) {
    threads.emplace_back([&, i] {
      const auto slot = slots.acquire(Context(), ranks[i]);
      const std::lock_guard lock(mutex);
      order.push_back(i);
    });
    REQUIRE(eventually([&] { return slots.waiting() == std::size_t(i + 1); }));
  }
  held.reset();
  threads.clear();
  CHECK(order == std::vector{4, 1, 3, 2, 0});
  CHECK(slots.free() == 1);
}

TEST_CASE("a wait for a slot ends with its context and leaves the slots as they are", "[slots]") {
  Slots slots(1);
  auto held = slots.acquire(Context());
  CHECK_FALSE(slots.acquire(Context().child(5ms)));
  const Context context;
  std::jthread canceller([&] {
    eventually([&] { return slots.waiting() == 1; });
    context.cancel();
  });
  CHECK_FALSE(slots.acquire(context));
  CHECK(slots.waiting() == 0);
  held.reset();
  CHECK(slots.free() == 1);
  CHECK_FALSE(slots.acquire(context));
}

TEST_CASE("one that leaves the queue does not keep those behind it waiting", "[slots]") {
  Slots slots(1);
  for (int round = 0; round < 60; ++round) {
    auto held = slots.acquire(Context());
    const Context leaves;
    std::jthread first([&] { (void)slots.acquire(leaves, 0); });
    REQUIRE(eventually([&] { return slots.waiting() == 1; }));
    bool got = false;
    std::jthread second([&] { got = slots.acquire(Context().child(5min), 1).has_value(); });
    REQUIRE(eventually([&] { return slots.waiting() == 2; }));
    std::jthread canceller([&] { leaves.cancel(); });
    held.reset();
    second.join();
    REQUIRE(got);
  }
}

TEST_CASE("never more hold a slot than there are", "[slots]") {
  Slots slots(3);
  millrace_test::Most most;
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const auto slot = slots.acquire(Context(), t);
        const auto inside = most.enter();
        if (i % 16 == 0) std::this_thread::yield();
      }
    });
  threads.clear();
  CHECK(most.reached() <= 3);
  CHECK(slots.free() == 3);
}
