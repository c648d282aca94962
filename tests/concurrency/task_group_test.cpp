// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/task_group.hpp"

#include <pthread.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "concurrency/most.hpp"
#include "concurrency/unstartable.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"
#include "support/rounds.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using millrace_test::eventually;
using millrace_test::Most;
using millrace_test::rounds;
using millrace_test::ThreadCount;

namespace {

static_assert(!std::is_copy_constructible_v<TaskGroup> && !std::is_copy_assignable_v<TaskGroup>);

constexpr auto collect = TaskGroup::Mode::collect_all;

Error bad(const std::string& text) { return {ErrorKind::input, text}; }

std::string thread_name() {
  std::array<char, 32> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

}  // namespace

TEST_CASE("the example of task_group.hpp", "[task_group][concurrency]") {
  const Context context;
  const std::vector<std::string> urls{"a", "bb", "ccc", "dddd", "eeeee"};
  std::atomic<std::size_t> bytes = 0;
  const auto fetch = [&](const Context&, const std::string& url) { bytes += url.size(); };
  TaskGroup group(context, {.limit = 4});
  for (const auto& url : urls)
    if (!group.go([fetch, url](const Context& here) { fetch(here, url); })) break;
  if (const auto error = group.wait()) error->raise();
  CHECK(bytes == 15);
}

TEST_CASE("what tasks wrote can be read without a lock after wait", "[task_group][concurrency]") {
  std::vector<int> slots(64);
  TaskGroup group{Context()};
  for (std::size_t i = 0; i < slots.size(); ++i) group.go([&slots, i] { slots[i] = int(i) + 1; });
  CHECK_FALSE(group.wait());
  for (std::size_t i = 0; i < slots.size(); ++i) CHECK(slots[i] == int(i) + 1);
}

TEST_CASE("wait never returns before a task that was begun, in ten thousand rounds",
          "[task_group][concurrency]") {
  int missed = 0;
  TaskGroup again{Context()};
  for (int round = 0; round < rounds(10000); ++round) {
    int ran = 0;
    if (round % 10 == 0) {
      TaskGroup group{Context()};
      group.go([&] { ran = 1; });
      if (group.wait()) ++missed;
    } else {
      again.go([&] { ran = 1; });
      if (again.wait()) ++missed;
    }
    missed += 1 - ran;
  }
  CHECK(missed == 0);
}

TEST_CASE("an empty group is waited for at once, and any group twice",
          "[task_group][concurrency]") {
  TaskGroup group{Context()};
  CHECK_FALSE(group.wait());
  std::atomic<int> ran = 0;
  group.go([&] { ++ran; });
  CHECK_FALSE(group.wait());
  CHECK_FALSE(group.wait());
  group.go([&] { ++ran; });
  CHECK_FALSE(group.wait());
  CHECK(ran == 2);
}

TEST_CASE("a group is not left while its tasks run: it cancels and joins them",
          "[task_group][concurrency]") {
  const ThreadCount threads;
  const Context context;
  std::atomic<int> ended = 0;
  {
    TaskGroup group(context);
    for (int i = 0; i < 5; ++i)
      group.go([&](const Context& here) {
        (void)here.sleep_for(1h);
        ++ended;
      });
  }
  CHECK(ended == 5);
  CHECK_FALSE(context.done());
  CHECK(threads.as_before());
}

TEST_CASE("ten tasks that wait do so at the same time", "[task_group][concurrency]") {
  Most most;
  TaskGroup group{Context()};
  for (int i = 0; i < 10; ++i)
    group.go([&] {
      const auto inside = most.enter();
      most.wait_for(10);
    });
  CHECK_FALSE(group.wait());
  CHECK(most.reached() == 10);
}

TEST_CASE("nine such tasks on three places take three times as long", "[task_group][concurrency]") {
  Most most;
  const auto since = Context::Clock::now();
  TaskGroup group(Context(), {.limit = 3});
  for (int i = 0; i < 9; ++i)
    group.go([&](const Context& here) {
      const auto inside = most.enter();
      most.wait_for(3);
      (void)here.sleep_for(50ms);
    });
  CHECK_FALSE(group.wait());
  CHECK(most.reached() == 3);
  CHECK(Context::Clock::now() - since >= 150ms);
}

TEST_CASE("a task keeps its own copy of what it was given", "[task_group][concurrency]") {
  TaskGroup group{Context()};
  std::string seen;
  auto only = std::make_unique<int>(7);
  {
    struct Speaks {
      void operator()() const { seen = word; }
      std::string word;
      std::string& seen;
    };
    Speaks speaks{"a word too long for the small string", seen};
    const Speaks& reference = speaks;
    group.go(reference);
    speaks.word = "changed after";
  }
  int got = 0;
  group.go([&got, only = std::move(only)] { got = *only; });
  CHECK_FALSE(group.wait());
  CHECK(seen == "a word too long for the small string");
  CHECK(got == 7);
}

TEST_CASE("what a task holds is gone when wait returns", "[task_group][concurrency]") {
  TaskGroup group(Context(), {.mode = collect});
  const auto held = std::make_shared<int>(1);
  for (int i = 0; i < 8; ++i)
    group.go([held, i] {
      if (i % 2) throw bad("odd");
    });
  CHECK(group.wait());
  CHECK(held.use_count() == 1);
}

TEST_CASE("no more tasks run at once than the limit, and no more threads",
          "[task_group][concurrency]") {
  const ThreadCount threads;
  Most most;
  std::atomic<std::size_t> most_threads = 0;
  TaskGroup group(Context(), {.limit = 3});
  for (int i = 0; i < 2000; ++i)
    group.go([&, i] {
      const auto inside = most.enter();
      most.wait_for(3);
      if (i % 50 == 0)
        most_threads = std::max<std::size_t>(most_threads, millrace_test::live_threads());
    });
  CHECK_FALSE(group.wait());
  CHECK(most.reached() == 3);
  CHECK(most_threads <= threads.before() + 3);
  CHECK(threads.as_before());
}

TEST_CASE("a full group refuses to try, and what it refused never runs",
          "[task_group][concurrency]") {
  TaskGroup group(Context(), {.limit = 2});
  const Context gate;
  std::atomic<bool> ran = false;
  for (int i = 0; i < 2; ++i) CHECK(group.try_go([&] { (void)gate.sleep_for(1h); }));
  CHECK_FALSE(group.try_go([&] { ran = true; }));
  gate.cancel();
  CHECK_FALSE(group.wait());
  CHECK_FALSE(ran);
  CHECK(group.try_go([&] { ran = true; }));
  CHECK_FALSE(group.wait());
  CHECK(ran);
}

TEST_CASE("a wait for a place ends with the context, and wait tells why",
          "[task_group][concurrency]") {
  const Context context;
  TaskGroup group(context, {.limit = 1});
  const Context gate;
  std::atomic<bool> ran = false;
  group.go([&] { (void)gate.sleep_for(1h); });
  std::jthread canceller([&] {
    std::this_thread::sleep_for(5ms);
    context.cancel();
  });
  CHECK_FALSE(group.go([&] { ran = true; }));
  gate.cancel();
  const auto reason = group.wait();
  REQUIRE(reason);
  CHECK(reason->error().kind() == ErrorKind::cancelled);
  CHECK(group.errors().empty());
  CHECK_FALSE(ran);
}

TEST_CASE("a group with the limit 0 runs nothing", "[task_group][concurrency]") {
  TaskGroup group(Context(), {.limit = 0});
  CHECK_FALSE(group.try_go([] {}));
  CHECK_THROWS_AS(group.go([] {}), Error);
  CHECK_FALSE(group.wait());
}

TEST_CASE("a task may start another, but at the limit that is told and does not hang",
          "[task_group][concurrency]") {
  std::atomic<int> ran = 0;
  TaskGroup wide(Context(), {.limit = 2});
  wide.go([&] { wide.go([&] { ++ran; }); });
  CHECK_FALSE(wide.wait());
  CHECK(ran == 1);
  TaskGroup narrow(Context(), {.limit = 1});
  narrow.go([&] {
    if (narrow.try_go([&] { ++ran; })) return;
    narrow.go([&] { ++ran; });
  });
  const auto first = narrow.wait();
  REQUIRE(first);
  CHECK(first->error().kind() == ErrorKind::internal);
  CHECK_THAT(first->error().what(), ContainsSubstring("at its limit"));
  CHECK(ran == 1);
}

TEST_CASE("wait covers the tasks that tasks start meanwhile", "[task_group][concurrency]") {
  std::atomic<int> ended = 0;
  std::atomic<bool> waits = false;
  TaskGroup group{Context()};
  group.go([&] {
    while (!waits) std::this_thread::yield();
    std::this_thread::sleep_for(5ms);
    group.go([&] {
      std::this_thread::sleep_for(20ms);
      ++ended;
    });
    ++ended;
  });
  waits = true;
  CHECK_FALSE(group.wait());
  CHECK(ended == 2);
}

TEST_CASE("a task cannot wait for its own group", "[task_group][concurrency]") {
  TaskGroup group{Context()};
  group.go([&] { (void)group.wait(); });
  const auto first = group.wait();
  REQUIRE(first);
  CHECK_THAT(first->error().what(), ContainsSubstring("its own group"));
}

TEST_CASE("a task that cannot have a thread is an error and was never begun",
          "[task_group][concurrency]") {
  TaskGroup group{Context()};
  std::atomic<int> ran = 0;
  {
    const millrace_test::Unstartable unstartable;
    CHECK_THROWS_WITH(group.go([&] { ++ran; }), ContainsSubstring("cannot start thread"));
  }
  CHECK(group.go([&] { ++ran; }));
  CHECK_FALSE(group.wait());
  CHECK(ran == 1);
}

TEST_CASE("a thousand concurrent adds of ten under a lock make ten thousand",
          "[task_group][concurrency]") {
  std::mutex mutex;
  int sum = 0;
  TaskGroup group(Context(), {.limit = 16});
  for (int i = 0; i < 1000; ++i)
    group.go([&] {
      const std::lock_guard lock(mutex);
      sum += 10;
    });
  CHECK_FALSE(group.wait());
  CHECK(sum == 10000);
}

TEST_CASE("the threads of a group bear its name", "[task_group][concurrency]") {
  std::string name;
  TaskGroup group(Context(), {.name = "a-group-with-a-long-name"});
  group.go([&] { name = thread_name(); });
  CHECK_FALSE(group.wait());
  CHECK(name == "a-group-with-a-");
}

TEST_CASE("many threads may start tasks of one group while others end",
          "[task_group][concurrency]") {
  std::atomic<int> ran = 0;
  TaskGroup group(Context(), {.limit = 3});
  {
    std::vector<std::jthread> starters;
    for (int t = 0; t < 4; ++t)
      starters.emplace_back([&] {
        for (int i = 0; i < 300; ++i) group.go([&] { ++ran; });
      });
    for (int i = 0; i < 50; ++i) CHECK_FALSE(group.wait());
  }
  CHECK_FALSE(group.wait());
  CHECK(ran == 1200);
}
