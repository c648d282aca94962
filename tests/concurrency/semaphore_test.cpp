// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/semaphore.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "millrace/error.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using millrace_test::eventually;

static_assert(!std::is_copy_constructible_v<Permit> && !std::is_copy_assignable_v<Permit>);
static_assert(std::is_nothrow_move_constructible_v<Permit>);
static_assert(!std::is_copy_constructible_v<Semaphore> && !std::is_move_constructible_v<Semaphore>);

namespace {

/// The highest of all values that it is raised to.
void raise_to(std::atomic<std::int64_t>& highest, std::int64_t value) {
  for (auto seen = highest.load(); seen < value && !highest.compare_exchange_weak(seen, value);) {
  }
}

/// A thread that waits for a permit, and writes its number when it has one.
struct Requests {
  explicit Requests(Semaphore& from) : semaphore(from) {}
  ~Requests() { all.cancel(); }  // a broken law must not be a hang

  void start(const Context& context, std::uint64_t weight) {
    const auto before = semaphore.waiting();
    permits.push_back(std::make_unique<std::optional<Permit>>());
    threads.emplace_back([this, context, weight, into = permits.back().get()] {
      *into = semaphore.acquire(context, weight);
      ++ended;
    });
    REQUIRE(eventually([&] { return semaphore.waiting() == before + 1; }));
  }
  bool have_ended(int count) {
    return eventually([&] { return ended == count; });
  }

  Semaphore& semaphore;
  const Context all;
  std::atomic<int> ended = 0;
  std::vector<std::unique_ptr<std::optional<Permit>>> permits;
  std::vector<std::jthread> threads;
};

}  // namespace

TEST_CASE("the example of semaphore.hpp gives back what it corrected", "[semaphore]") {
  const Context context;
  Semaphore memory(512);
  {
    auto lease = memory.acquire(context, 300);
    if (lease) lease->correct(320);
    CHECK(memory.free() == 192);
  }
  CHECK(memory.free() == 512);
}

TEST_CASE("a semaphore gives its total and no more, and the next request waits", "[semaphore]") {
  Semaphore semaphore(3);
  std::vector<std::optional<Permit>> held;
  for (int i = 0; i < 3; ++i) held.push_back(semaphore.acquire(Context()));
  CHECK(semaphore.total() == 3);
  CHECK(semaphore.free() == 0);
  CHECK_FALSE(semaphore.try_acquire());
  Requests requests(semaphore);
  requests.start(requests.all, 1);
  CHECK(requests.ended == 0);
  held.pop_back();
  CHECK(requests.have_ended(1));
  CHECK(requests.permits[0]->has_value());
}

TEST_CASE("never more than the total is held, whatever the threads do", "[semaphore]") {
  Semaphore semaphore(3);
  std::atomic<std::int64_t> held = 0, highest = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        const auto permit = semaphore.acquire(Context());
        raise_to(highest, ++held);
        std::this_thread::yield();
        --held;
      }
    });
  threads.clear();
  CHECK(highest <= 3);
  CHECK(semaphore.free() == 3);
}

TEST_CASE("a permit goes back when its holder throws", "[semaphore]") {
  Semaphore semaphore(2);
  for (int i = 0; i < 5; ++i) {
    try {
      const auto permit = semaphore.acquire(Context(), 2);
      throw std::runtime_error("the work failed");
    } catch (const std::runtime_error&) {
    }
    CHECK(semaphore.free() == 2);
  }
}

TEST_CASE("with the permit taken first there are no more tasks than permits", "[semaphore]") {
  struct Task {
    Task(Permit permit, std::atomic<int>& count) : held(std::move(permit)), living(&count) {
      ++*living;
    }
    Task(Task&& other) noexcept
        : held(std::move(other.held)), living(std::exchange(other.living, nullptr)) {}
    ~Task() {
      if (living) --*living;
    }
    void operator()() const { std::this_thread::yield(); }
    Permit held;  // given back last
    std::atomic<int>* living;
  };
  Semaphore semaphore(4);
  std::atomic<int> living = 0;
  int most = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 60; ++i) {
    threads.emplace_back(Task(std::move(*semaphore.acquire(Context())), living));
    most = std::max(most, living.load());
  }
  threads.clear();
  CHECK(most <= 4);
  CHECK(living == 0);
}

TEST_CASE("a request of many is served at once and whole, or not at all", "[semaphore]") {
  Semaphore semaphore(10);
  auto small = semaphore.acquire(Context(), 3);
  CHECK_FALSE(semaphore.try_acquire(8));
  CHECK(semaphore.free() == 7);
  Requests requests(semaphore);
  requests.start(requests.all, 9);
  CHECK(semaphore.free() == 7);
  small.reset();
  REQUIRE(requests.have_ended(1));
  CHECK((*requests.permits[0])->weight() == 9);
  CHECK(semaphore.free() == 1);
}

TEST_CASE("an ended context fails before the permits are looked at", "[semaphore]") {
  Semaphore semaphore(1);
  const Context context;
  context.cancel();
  CHECK_FALSE(semaphore.acquire(context));
  CHECK_FALSE(semaphore.acquire(Context().child(0s)));
  CHECK(semaphore.free() == 1);
}

TEST_CASE("a cancelled request leaves the permits as they were", "[semaphore]") {
  Semaphore semaphore(5);
  auto held = semaphore.acquire(Context(), 3);
  const Context context;
  Requests requests(semaphore);
  requests.start(context, 4);
  context.cancel();
  REQUIRE(requests.have_ended(1));
  CHECK_FALSE(requests.permits[0]->has_value());
  CHECK(semaphore.free() == 2);
  CHECK(semaphore.waiting() == 0);
}

TEST_CASE("a request ends at its context's deadline", "[semaphore]") {
  Semaphore semaphore(1);
  const auto held = semaphore.acquire(Context());
  const auto since = Context::Clock::now();
  CHECK_FALSE(semaphore.acquire(Context().child(20ms)));
  CHECK(Context::Clock::now() - since >= 20ms);
  CHECK(semaphore.free() == 0);
  CHECK(semaphore.waiting() == 0);
}

TEST_CASE("requests are served first come, first served", "[semaphore]") {
  Semaphore semaphore(1);
  auto held = semaphore.acquire(Context());
  Requests requests(semaphore);
  for (int i = 0; i < 4; ++i) requests.start(requests.all, 1);
  held.reset();
  for (int i = 0; i < 4; ++i) {
    REQUIRE(requests.have_ended(i + 1));
    auto& permit = *requests.permits[static_cast<std::size_t>(i)];
    REQUIRE(permit);
    permit.reset();
  }
}

TEST_CASE("a large request at the head is not overtaken by small ones", "[semaphore]") {
  Semaphore semaphore(4);
  auto held = semaphore.acquire(Context(), 3);
  Requests requests(semaphore);
  requests.start(requests.all, 4);
  requests.start(requests.all, 1);
  CHECK_FALSE(semaphore.try_acquire(1));
  CHECK(semaphore.free() == 1);
  CHECK(requests.ended == 0);
  held.reset();
  REQUIRE(requests.have_ended(1));
  CHECK(requests.permits[0]->has_value());
  requests.permits[0]->reset();
  CHECK(requests.have_ended(2));
}

TEST_CASE("a large request that leaves lets those behind it through", "[semaphore]") {
  Semaphore semaphore(4);
  const auto held = semaphore.acquire(Context(), 2);
  const Context context;
  Requests requests(semaphore);
  requests.start(context, 4);
  requests.start(requests.all, 1);
  requests.start(requests.all, 1);
  context.cancel();
  REQUIRE(requests.have_ended(3));
  CHECK_FALSE(requests.permits[0]->has_value());
  CHECK(requests.permits[1]->has_value());
  CHECK(requests.permits[2]->has_value());
}

TEST_CASE("a request above the total is an error that names both, and blocks nobody",
          "[semaphore]") {
  Semaphore semaphore(5);
  const auto held = semaphore.acquire(Context(), 5);
  CHECK_THROWS_WITH(semaphore.acquire(Context(), 6), "6 is more than the semaphore's total of 5");
  CHECK_THROWS_AS(semaphore.try_acquire(6), Error);
  CHECK(semaphore.waiting() == 0);
}

TEST_CASE("a semaphore of nothing or of too much is an error", "[semaphore]") {
  CHECK_THROWS_WITH(Semaphore(0), ContainsSubstring("a semaphore of 0"));
  CHECK_THROWS_AS(Semaphore(std::uint64_t(1) << 63), Error);
}

TEST_CASE("a permit cannot give back more than it holds", "[semaphore]") {
  Semaphore semaphore(5);
  auto permit = semaphore.acquire(Context(), 3);
  CHECK_THROWS_WITH(permit->release(4), "a permit of 3 cannot give 4");
  CHECK_THROWS_AS(permit->split(4), Error);
  CHECK(permit->weight() == 3);
  permit->release(2);
  CHECK(semaphore.free() == 4);
  CHECK_THROWS_AS(permit->release(2), Error);
  permit.reset();
  CHECK(semaphore.free() == 5);
}

TEST_CASE("a permit is split and moved without a change to what is free", "[semaphore]") {
  Semaphore semaphore(6);
  auto whole = semaphore.acquire(Context(), 5);
  auto part = whole->split(2);
  CHECK(whole->weight() == 3);
  CHECK(part.weight() == 2);
  CHECK(semaphore.free() == 1);
  const Permit moved = std::move(*whole);
  CHECK(moved.weight() == 3);
  CHECK(whole->weight() == 0);
  CHECK_THROWS_AS(whole->correct(1), Error);
  whole.reset();
  CHECK(semaphore.free() == 1);
}

TEST_CASE("an assigned permit gives back what it held before", "[semaphore]") {
  Semaphore semaphore(6);
  auto first = semaphore.acquire(Context(), 2), second = semaphore.acquire(Context(), 3);
  *first = std::move(*second);
  CHECK(first->weight() == 3);
  CHECK(semaphore.free() == 3);
}

TEST_CASE("a corrected permit may leave less than nothing, and waits for nobody", "[semaphore]") {
  Semaphore semaphore(10);
  auto large = semaphore.acquire(Context(), 6);
  auto small = semaphore.acquire(Context(), 2);
  large->correct(15);
  CHECK(semaphore.free() == -7);
  CHECK_FALSE(semaphore.try_acquire(0));
  Requests requests(semaphore);
  requests.start(requests.all, 1);
  small.reset();
  CHECK(semaphore.free() == -5);
  CHECK(requests.ended == 0);
  large->correct(9);
  REQUIRE(requests.have_ended(1));
  CHECK(requests.permits[0]->has_value());
  CHECK(semaphore.free() == 0);
}

TEST_CASE("a correction beyond all numbers is refused and changes nothing", "[semaphore]") {
  constexpr auto most = std::uint64_t(1) << 63;
  Semaphore semaphore(10);
  auto first = semaphore.acquire(Context(), 1), second = semaphore.acquire(Context(), 1);
  CHECK_THROWS_AS(first->correct(most), Error);
  first->correct(most - 1);
  CHECK_THROWS_AS(second->correct(most - 1), Error);
  CHECK(second->weight() == 1);
  first->correct(1);
  CHECK(semaphore.free() == 8);
}

TEST_CASE("whoever stops at a cancelled request has its results and its reason", "[semaphore]") {
  Semaphore semaphore(2);
  const Context context;
  std::atomic<int> done = 0;
  int started = 0;
  {
    std::vector<std::jthread> tasks;
    while (auto permit = semaphore.acquire(context)) {
      ++started;
      tasks.emplace_back([&, held = std::move(permit)] {
        if (const int now = ++done; now == 5)
          context.cancel();
        else if (now > 5)
          (void)context.sleep_for(1h);  // no more are begun while the fifth has yet to cancel
      });
    }
  }  // waits for what runs
  CHECK(done == started);
  CHECK(done >= 5);
  CHECK(context.cause() == Cause::cancelled);
  CHECK(semaphore.free() == 2);
}

TEST_CASE("a storm of requests, cancels and corrections loses nothing and exceeds nothing",
          "[semaphore]") {
  Semaphore semaphore(16);
  std::atomic<std::int64_t> held = 0, highest = 0;
  std::atomic<int> served = 0;
  std::vector<std::jthread> threads;
  for (unsigned seed = 1; seed <= 8; ++seed)
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int round = 0; round < 150; ++round) {
        const auto weight = static_cast<std::int64_t>(random() % 16 + 1);
        const auto patience = std::chrono::microseconds(random() % 400);
        const Context context = round == 0 ? Context() : Context().child(patience);
        auto permit = semaphore.acquire(context, static_cast<std::uint64_t>(weight));
        if (!permit) continue;
        ++served;
        raise_to(highest, held += weight);
        std::this_thread::yield();
        held -= weight;
        auto part = permit->split(random() % permit->weight());
        part.correct(part.weight() / 2);
        if (random() % 2) std::this_thread::yield();
      }
    });
  threads.clear();
  CHECK(served > 0);
  CHECK(highest <= 16);
  CHECK(semaphore.free() == 16);
  CHECK(semaphore.waiting() == 0);
}

TEST_CASE("cancels from outside in a storm of requests leave every permit where it belongs",
          "[semaphore]") {
  Semaphore semaphore(4);
  for (int round = 0; round < 60; ++round) {
    const Context context;
    std::atomic<int> ended = 0;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < 4; ++i)
      threads.emplace_back([&, i] {
        while (const auto permit = semaphore.acquire(context, 1 + (i + 1) % 4))
          std::this_thread::yield();
        ++ended;
      });
    std::this_thread::sleep_for(std::chrono::microseconds(round * 10));
    context.cancel();
    REQUIRE(eventually([&] { return ended == 4; }));
    CHECK(semaphore.free() >= 0);
    threads.clear();
    REQUIRE(semaphore.free() == 4);
  }
}
