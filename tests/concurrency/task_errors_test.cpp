// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "millrace/channel.hpp"
#include "millrace/task_group.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using millrace_test::eventually;
using millrace_test::ThreadCount;

namespace {

constexpr auto collect = TaskGroup::Mode::collect_all;

struct DeadServer : Error {
  DeadServer() : Error(ErrorKind::transient, "no answer") {}
};

Error bad(const std::string& text) { return {ErrorKind::input, text}; }

}  // namespace

TEST_CASE("the first error by time is given, and it is the task's own",
          "[task_group][concurrency]") {
  TaskGroup group(Context(), {.mode = collect});
  const Context gate;
  group.go([&] {
    (void)gate.sleep_for(1h);
    throw bad("second");
  });
  group.go([] { throw DeadServer(); });
  REQUIRE(eventually([&] { return group.errors().size() == 1; }));
  gate.cancel();
  const auto first = group.wait();
  REQUIRE(first);
  CHECK(is<DeadServer>(*first));
  CHECK_THROWS_AS(first->raise(), DeadServer);
  const auto all = group.errors();
  REQUIRE(all.size() == 2);
  CHECK(all[0].fault.error().what() == std::string("second"));  // by task, not by time
  CHECK(all[1].task == 1);
}

TEST_CASE("the first error cancels the tasks beside it and not the context above",
          "[task_group][concurrency]") {
  const Context context;
  TaskGroup group(context);
  std::atomic<int> woken = 0;
  for (int i = 0; i < 4; ++i)
    group.go([&](const Context& here) {
      if (!here.sleep_for(1h)) ++woken;
      here.check();  // the others' "cancelled" is not an error of theirs
    });
  group.go([] { throw bad("stop"); });
  const auto first = group.wait();
  REQUIRE(first);
  CHECK(first->error().what() == std::string("stop"));
  CHECK(woken == 4);
  CHECK(group.errors().size() == 1);
  CHECK_FALSE(context.done());
  std::atomic<bool> ran = false;
  CHECK_FALSE(group.go([&] { ran = true; }));
  CHECK_FALSE(group.try_go([&] { ran = true; }));
  CHECK(group.wait()->error().what() == std::string("stop"));
  CHECK_FALSE(ran);
}

TEST_CASE("who waits for a place when a task fails does not start", "[task_group][concurrency]") {
  for (int round = 0; round < 200; ++round) {
    TaskGroup group(Context(), {.limit = 1});
    std::atomic<bool> ran = false;
    group.go([] { throw bad("first"); });
    // The error is told before the place is given back.
    CHECK_FALSE(group.go([&] { ran = true; }));
    CHECK(group.wait());
    REQUIRE_FALSE(ran);
  }
}

TEST_CASE("a group that collects runs every task and tells all errors with their task",
          "[task_group][concurrency]") {
  std::atomic<int> done = 0;
  TaskGroup group(Context(), {.limit = 3, .mode = collect});
  for (int i = 0; i < 10; ++i)
    group.go("order " + std::to_string(i), [&, i] {
      if (i % 3 == 1) throw bad("is bad");
      ++done;
    });
  CHECK(group.wait());
  CHECK(done == 7);
  CHECK_FALSE(group.context().done());
  const auto joined = group.joined();
  REQUIRE(joined);
  CHECK(joined->kind() == ErrorKind::input);
  CHECK(joined->what() ==
        std::string("3 errors\norder 1: is bad\norder 4: is bad\norder 7: is bad"));
  CHECK(joined->faults()[2].task == 7);
}

TEST_CASE("the text of very many errors is cut, the errors are not", "[task_group][concurrency]") {
  TaskGroup group(Context(), {.limit = 2, .mode = collect});
  for (int i = 0; i < 50; ++i) group.go([] { throw bad("no"); });
  CHECK(group.wait());
  const auto joined = group.joined();
  REQUIRE(joined);
  CHECK(joined->faults().size() == 50);
  CHECK_THAT(joined->what(), ContainsSubstring("\ntask 19: no\nand 30 more"));
}

TEST_CASE("whatever a task throws is its error", "[task_group][concurrency]") {
  TaskGroup group(Context(), {.mode = collect});
  group.go([] { throw 42; });
  group.go([] { throw std::bad_alloc(); });
  group.go([] { throw std::runtime_error("library"); });
  group.go([] { throw std::system_error(ENOSPC, std::generic_category(), "write"); });
  CHECK(group.wait());
  const auto all = group.errors();
  REQUIRE(all.size() == 4);
  CHECK(all[0].fault.error().kind() == ErrorKind::internal);
  CHECK(is<int>(all[0].fault));
  CHECK_THROWS_AS(all[0].fault.raise(), Error);
  CHECK(all[1].fault.error().kind() == ErrorKind::resource);
  CHECK(is<std::bad_alloc>(all[1].fault));
  CHECK(all[2].fault.error().what() == std::string("library"));
  CHECK(is<std::runtime_error>(all[2].fault));
  CHECK(all[3].fault.error().kind() == ErrorKind::resource);
}

TEST_CASE("an error keeps its identity when names are put in front of it",
          "[task_group][concurrency]") {
  TaskGroup group{Context()};
  group.go([] {
    try {
      try {
        throw DeadServer();
      } catch (...) {
        rethrow_in("http://a/b");
      }
    } catch (...) {
      rethrow_in("fetch");
    }
  });
  const auto first = group.wait();
  REQUIRE(first);
  CHECK(first->error().what() == std::string("fetch: http://a/b: no answer"));
  CHECK(first->error().kind() == ErrorKind::transient);
  CHECK(is<DeadServer>(*first));
  CHECK_FALSE(is<std::bad_alloc>(*first));
  try {
    first->raise();
  } catch (const Error& error) {
    CHECK(is<DeadServer>(error));
  }
}

TEST_CASE("errors that nobody reads keep no task from ending", "[task_group][concurrency]") {
  const ThreadCount threads;
  std::atomic<int> ended = 0;
  {
    TaskGroup group(Context(), {.limit = 4, .mode = collect});
    for (int i = 0; i < 500; ++i)
      group.go([&] {
        ++ended;
        throw bad("unread");
      });
    REQUIRE(eventually([&] { return ended == 500; }));
  }
  CHECK(threads.as_before());
}

TEST_CASE("a producer and readers of one group leave when one of them fails",
          "[task_group][concurrency]") {
  const Channel<int> channel(2);
  TaskGroup group{Context()};
  std::atomic<int> left = 0;
  for (int r = 0; r < 3; ++r)
    group.go([&, from = channel.receiver()](const Context& here) {
      for (const int value : from.each(here))
        if (value == 1000) throw bad("a thousand");
      ++left;
    });
  // Last, since a group that has failed starts nobody.
  group.go([&, to = channel.sender()](const Context& here) {
    for (int i = 0; to.push(here, int(i)) == ChannelStatus::ok; ++i) continue;
    ++left;
  });
  const auto first = group.wait();
  REQUIRE(first);
  CHECK(first->error().what() == std::string("a thousand"));
  CHECK(left == 3);
}
