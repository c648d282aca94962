// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Whatever happens to a stage's process, it costs one item, and nothing stays behind.

#include <algorithm>
#include <thread>

#include "isolate/isolated.hpp"
#include "millrace/run.hpp"
#include "support/live_threads.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t items = 12;

/// Items through `strike`, which does something to the one called "5".
struct StruckRun {
  explicit StruckRun(const std::string& how, const std::string& at = "5", std::size_t workers = 2) {
    const auto source = add_source(plan, items, 2);
    strike = stages.add(plan, "strike", {{"how", how}, {"at", at}}, {source}, workers);
    add(plan, "sink", arrivals.taker(), {strike});
  }

  /// All but one item arrive; what is said of that one.
  Failure check_one_fails() {
    const Report report = run(plan);
    CHECK(report.done == items - 1);
    CHECK(report.failed == 1);
    CHECK(report.gave_up.empty());
    CHECK(arrivals.count() == items - 1);
    CHECK(remains().empty());
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].item == "5");
    CHECK(report.failures[0].stage == "strike");
    return report.failures[0];
  }

  const Stages stages;
  Plan plan;
  Arrivals arrivals;
  std::size_t strike = 0;
};

}  // namespace

TEST_CASE("the end of a stage's process fails its item alone", "[isolate][faults]") {
  const std::pair<const char*, const char*> cases[] = {
      {"crash", "the stage's process was ended by signal 11 (SIGSEGV)"},
      {"abort", "the stage's process was ended by signal 6 (SIGABRT)"},
      {"exit", "the stage's process ended with status 3"},
      {"garbage", "the stage's process sent what is not understood and was killed"},
      {"hang_up", "the stage's process closed its connection and was killed"},
  };
  for (const auto& [how, message] : cases) {
    INFO(how);
    const auto failure = StruckRun(how).check_one_fails();
    CHECK(failure.message == message);
    CHECK(failure.kind == ErrorKind::plugin);
  }
}

TEST_CASE("what a stage throws in its process fails its item alone", "[isolate][faults]") {
  CHECK(StruckRun("refuse").check_one_fails().message == "not now");
  CHECK(StruckRun("odd").check_one_fails().message == "threw something that is not an exception");
}

TEST_CASE("a stage that hangs in its process is killed at its timeout", "[isolate][faults]") {
  StruckRun hang("hang");
  hang.plan.stages[hang.strike].timeout = 3s;
  const Report report = run(hang.plan);
  CHECK(report.done + report.failed == items);
  CHECK(std::ranges::count(report.failures, "5", &Failure::item) == 1);
  for (const auto& failure : report.failures) {  // others, where their process stood still
    CHECK(failure.message ==
          "the stage's process did not answer within 3s (timeout) and was killed");
    CHECK(failure.kind == ErrorKind::resource);
  }
  CHECK(remains().empty());
}

TEST_CASE("a stage that takes too much memory in its process fails its item", "[isolate][faults]") {
  for (const char* const how : {"memory", "pictures"}) {
    INFO(how);
    StruckRun greedy(how);
    greedy.plan.stages[greedy.strike].isolate->memory = std::uint64_t{256} << 20;
    const auto failure = greedy.check_one_fails();
    CHECK(failure.message == "used more than 256MiB");
    CHECK(failure.kind == ErrorKind::resource);
  }
}

TEST_CASE("a process that ends at its start is replaced", "[isolate][faults]") {
  const millrace::testing::TemporaryFolder folder;
  const Stages stages;
  Plan plan;
  Arrivals arrivals;
  const auto source = add_source(plan, items);
  const auto bad = stages.add(plan, "bad_start", {{"marker", folder / "started"}}, {source});
  add(plan, "sink", arrivals.taker(), {bad});
  const Report report = run(plan);
  CHECK(arrivals.count() == items - 1);
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].message ==
        "the stage's process was ended by signal 6 (SIGABRT) at its start");
  CHECK(remains().empty());
}

TEST_CASE("a retry after a crash is not made, after a passing error it is", "[isolate][faults]") {
  for (const std::string how : {"crash", "refuse"}) {
    StruckRun struck(how);
    struck.plan.stages[struck.strike].retry = {3, 1ms, 1ms};
    const Report report = run(struck.plan);
    CHECK(report.failed == 1);
    CHECK(report.stages[struck.strike].retries == (how == "refuse" ? 2 : 0));
  }
}

TEST_CASE("after so many crashes the run stops and says why", "[isolate][faults]") {
  StruckRun struck("exit", "", 1);
  struck.plan.stages[struck.strike].isolate->crashes = 3;
  const Report report = run(struck.plan);
  CHECK(report.failed == 3);
  CHECK(report.cancelled == items - 3);
  // Which of two at once was the last is told by their counts, not by the report's order.
  CHECK_THAT(report.gave_up, Catch::StartsWith("strike: 3 crashes, the last at "));
  CHECK_THAT(report.gave_up, Catch::EndsWith(": the stage's process ended with status 3"));
  CHECK(remains().empty());
}

TEST_CASE("a stage that cannot be made in its process ends the run at its start",
          "[isolate][faults]") {
  const Stages stages;
  Plan plan;
  const auto source = add_source(plan, items);
  const auto unwilling = stages.add(plan, "unwilling", {}, {source}, 2);
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {unwilling});
  SECTION("by its worker") { CHECK_THROWS_WITH(run(plan), "unwilling: here: not in this process"); }
  SECTION("since its plugin is gone") {
    ::setenv("MILLRACE_PLUGIN_PATH", "/nowhere", 1);
    CHECK_THROWS_WITH(run(plan), ContainsSubstring("unwilling: there is no stage 'unwilling' of "));
  }
  SECTION("since the name is another's") {
    plan.stages[unwilling].name = "encode";
    CHECK_THROWS_WITH(run(plan), ContainsSubstring("is not there; one is built in"));
  }
  CHECK(remains().empty());
}

TEST_CASE("a cancelled run kills what hangs in a process", "[isolate][faults]") {
  StruckRun hang("hang", "", 3);
  const Shutdown shutdown;
  std::jthread canceller([&] {
    // While processes start, or later.
    std::this_thread::sleep_for(100ms);
    shutdown.cancel();
  });
  const Report report = run(hang.plan, shutdown);
  CHECK(report.cancelled == report.inputs);  // which may be none yet
  CHECK(remains().empty());
}

TEST_CASE("a run that is cancelled in the midst of starting processes leaves none",
          "[isolate][faults]") {
  for (const auto wait : {0ms, 5ms, 20ms, 80ms}) {
    StruckRun pass("crash", "none", 4);
    const Shutdown shutdown;
    std::jthread canceller([&] {
      std::this_thread::sleep_for(wait);
      shutdown.cancel();
    });
    const Report report = run(pass.plan, shutdown);
    CHECK(report.done + report.cancelled == report.inputs);
    CHECK(remains().empty());
  }
}

TEST_CASE("sources and sinks work in processes of their own", "[isolate][faults]") {
  const millrace::testing::TemporaryFolder folder;
  const Stages stages;
  Plan plan;
  const auto source = stages.add(plan, "two", {}, {});
  stages.add(plan, "append", {{"file", folder / "names"}}, {source});
  const Report report = run(plan);
  CHECK(report.done == 1);
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].item == "two");
  CHECK(millrace::testing::content_of(folder / "names") == "one txt\n");
}

TEST_CASE("many workers and crashes at once lose no item", "[isolate][faults]") {
  const Stages stages;
  Plan plan;
  Arrivals arrivals;
  const auto source = add_source(plan, 60, 2);
  const auto first = stages.add(plan, "strike", {{"at", "7"}}, {source}, 4);
  const auto second = stages.add(plan, "strike", {{"how", "exit"}, {"at", "31"}}, {first}, 4);
  plan.stages[second].id = "second";
  add(plan, "sink", arrivals.taker(), {second});
  const Report report = run(plan);
  CHECK(report.failed == 2);
  CHECK(report.done == 58);
  CHECK(arrivals.count() == 58);
  CHECK(remains().empty());
}
