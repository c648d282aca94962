// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/shutdown.hpp"

#include <atomic>
#include <thread>

#include "millrace/channel.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace millrace_test;
using namespace std::chrono_literals;

TEST_CASE("the example of shutdown.hpp", "[concurrency]") {
  const Channel<int> channel(4);
  const auto jobs = channel.receiver();
  const auto sender = channel.sender();
  std::atomic<int> done = 0;
  const auto work = [&](const Context& context, int job) {
    if (job == 2) context.sleep_for(1h);
    ++done;
  };
  const auto ended_within = [&](Context::Clock::duration) { return done == 2; };

  const Shutdown shutdown;
  std::jthread worker([&] {
    while (auto job = jobs.pop(shutdown.admission())) work(shutdown.work(), *job);
  });
  REQUIRE(sender.push({}, 1) == ChannelStatus::ok);
  REQUIRE(sender.push({}, 2) == ChannelStatus::ok);
  REQUIRE(eventually([&] { return done == 1 && channel.counts().depth == 0; }));
  shutdown.drain();                                                // the present job ends,
  if (!ended_within(std::chrono::seconds(30))) shutdown.cancel();  // but not for ever
  worker.join();
  CHECK(done == 2);
}

TEST_CASE("a drain ends admission and not the work, a cancel ends both", "[concurrency]") {
  const Shutdown shutdown;
  shutdown.drain();
  CHECK(shutdown.admission().done());
  CHECK_FALSE(shutdown.work().done());
  shutdown.cancel();
  CHECK(shutdown.work().done());
  const Shutdown at_once;
  at_once.cancel();
  CHECK(at_once.admission().done());
}

TEST_CASE("a shutdown twice, from two threads, is one", "[concurrency]") {
  for (int round = 0; round < 200; ++round) {
    const Shutdown shutdown;
    const Shutdown same = shutdown;
    std::jthread first([&] { shutdown.cancel(); });
    std::jthread second([&] {
      same.drain();
      same.cancel();
    });
    first.join();
    second.join();
    CHECK(shutdown.work().cause() == Cause::cancelled);
    CHECK(same.admission().cause() == Cause::cancelled);
  }
}
