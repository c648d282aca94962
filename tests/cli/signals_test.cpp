// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Any signals at any moment: the program ends within its shutdown time, and what it leaves is
// whole.

#include <chrono>
#include <csignal>
#include <random>
#include <set>
#include <thread>

#include "support/catch.hpp"
#include "support/napping.hpp"

using namespace millrace::testing;

namespace {

// What the ladder allows, with 128 + n where a signal came before the program was ready for it.
const std::set<int> possible{0, 4, 128 + SIGINT, 128 + SIGTERM};

/// Sends a request to end, and waits until it is heard: two that are pending are one to the kernel.
bool is_heard(const Program& program, const std::string& answer) {
  program.send(SIGTERM);
  return eventually([&] { return program.err().find(answer) != std::string::npos; });
}

}  // namespace

TEST_CASE("random signals at random moments end the program and leave nothing half",
          "[cli][signals][random]") {
  const Napping run("time: 3ms", "shutdown_timeout: 300ms, order: preserve");
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto pick = [&](int low, int high) {
      return std::uniform_int_distribution(low, high)(random);
    };
    Program program = run.start();
    for (int signals = pick(1, 3); signals > 0; --signals) {
      std::this_thread::sleep_for(std::chrono::microseconds(pick(0, 25000)));
      if (!program.has_ended()) program.send(pick(0, 1) == 0 ? SIGINT : SIGTERM);
    }
    CHECK(possible.contains(program.wait().status));
    CHECK(run.litter().empty());
    run.clear();
  }
}

TEST_CASE("a second signal cancels what the first lets end", "[cli][signals]") {
  const Napping run("time: 1h");
  Program program = run.start();
  run.wait_for_naps(program, 1);
  REQUIRE(is_heard(program, "told to end"));
  program.send(SIGTERM);
  const auto ended = program.wait();
  CHECK(ended.status == 128 + SIGTERM);
  CHECK_THAT(ended.err, ContainsSubstring("what is under way is cancelled"));
  CHECK_THAT(ended.out, ContainsSubstring("12 files: 0 done, 12 not done"));
  CHECK(run.litter().empty());
}

TEST_CASE("a third signal forces the end of what cannot be cancelled", "[cli][signals]") {
  const Napping run("time: 1h, stubborn: true");
  Program program = run.start();
  run.wait_for_naps(program, 2);
  REQUIRE(is_heard(program, "told to end"));
  REQUIRE(is_heard(program, "is cancelled"));
  program.send(SIGTERM);
  const auto ended = program.wait();
  CHECK(ended.status == 4);
  CHECK_THAT(ended.err, ContainsSubstring("forced to end; still at work: "));
  CHECK_THAT(ended.err, ContainsSubstring("nap on 2 items\n"));
  CHECK_THAT(ended.err, ContainsSubstring("\nnap: works on "));
  CHECK(run.litter().empty());
}

TEST_CASE("a signal during the start is not missed", "[cli][signals]") {
  const Napping run("time: 1h");
  for (int delay = 0; delay < 24; delay += 3) {
    CAPTURE(delay);
    Program program = run.start();
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    program.send(SIGINT);
    CHECK(program.wait().status == 128 + SIGINT);
    CHECK(run.litter().empty());
    run.clear();
  }
}
