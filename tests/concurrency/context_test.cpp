// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/context.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "millrace/error.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace std::chrono_literals;

TEST_CASE("cancelling a context ends all below, none above or beside", "[context]") {
  const Context root;
  const Context left = root.child(), right = root.child(), leaf = left.child().child();
  left.cancel();
  CHECK(left.done());
  CHECK(leaf.done());
  CHECK_FALSE(root.done());
  CHECK_FALSE(right.done());
  CHECK(leaf.child().done());
}

TEST_CASE("a handle's copy is the same context", "[context]") {
  const Context context;
  const Context copy = context;
  copy.cancel();
  CHECK(context.cause() == Cause::cancelled);
}

TEST_CASE("a deadline ends a context, and no child outlives it", "[context]") {
  const auto now = Context::Clock::now();
  const Context parent = Context().child(now + 1h);
  CHECK(parent.child(now + 2h).deadline() == now + 1h);
  CHECK(parent.child(now + 1min).deadline() == now + 1min);
  CHECK(parent.child().deadline() == now + 1h);
  CHECK_FALSE(Context().deadline());
  const Context late = Context().child(now - 1s);
  CHECK(late.cause() == Cause::deadline);
  CHECK(late.child().cause() == Cause::deadline);
}

TEST_CASE("the first cause stays", "[context]") {
  const Context late = Context().child(-1s);
  late.cancel();
  CHECK(late.cause() == Cause::deadline);
  const Context stopped = Context().child(50ms);
  stopped.cancel();
  if (Context::Clock::now() >= stopped.deadline()) return;  // on a machine that slept
  std::this_thread::sleep_until(*stopped.deadline());
  CHECK(stopped.cause() == Cause::cancelled);
}

TEST_CASE("a timeout beyond the clock's range is no timeout", "[context]") {
  CHECK_FALSE(Context().child(Context::Clock::duration::max()).done());
}

TEST_CASE("check throws an error of its own kind that tells the cause", "[context]") {
  const Context context;
  CHECK_NOTHROW(context.check());
  context.cancel();
  CHECK_THROWS_WITH(context.check(), ContainsSubstring("cancelled"));
  CHECK_THROWS_WITH(Context().child(0s).check(), ContainsSubstring("deadline"));
  try {
    context.check();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::cancelled);
  }
}

TEST_CASE("a sleep ends with its time, or before with its context", "[context]") {
  const auto since = Context::Clock::now();
  CHECK(Context().sleep_for(5ms));
  CHECK(Context::Clock::now() - since >= 5ms);
  CHECK_FALSE(Context().child(5ms).sleep_for(1h));
  const Context root;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(5ms);
    root.cancel();
  });
  CHECK_FALSE(root.child().sleep_for(Context::Clock::duration::max()));
}

TEST_CASE("cancelling while children come and go ends each of them", "[context]") {
  for (int round = 0; round < 25; ++round) {
    const Context root;
    std::atomic<int> ended = 0;
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 100; ++i) (void)root.child().child(1h).done();
        const Context last = root.child();
        if (!last.sleep_for(1min)) ++ended;
      });
    root.cancel();
    threads.clear();
    REQUIRE(ended == 3);
  }
}

TEST_CASE("ten thousand waiting contexts end by one cancel", "[context]") {
  const Context root;
  std::vector<Context> children;
  for (int i = 0; i < 10000; ++i) children.push_back(root.child());
  root.cancel();
  CHECK(std::ranges::all_of(children, [](const Context& child) { return child.done(); }));
}

TEST_CASE("a deadline can be made later for time that does not count", "[concurrency]") {
  const Context above = Context().child(1h);
  const Context context = above.child(20ms);
  const auto before = *context.deadline();
  context.extend(10min);
  CHECK(*context.deadline() == before + 10min);
  CHECK(context.sleep_for(30ms));  // it would have ended
  context.extend(1h);
  CHECK(*context.deadline() == *above.deadline());
  const Context late = Context().child(Context::Clock::duration(0));
  CHECK(late.done());
  late.extend(1h);
  CHECK(late.done());
  const Context endless;
  endless.extend(1h);
  CHECK_FALSE(endless.deadline());
}
