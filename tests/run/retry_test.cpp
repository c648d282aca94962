// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>

#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"
#include "support/eventually.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

/// Items "0", "1", ... through one stage into a sink.
struct Line {
  explicit Line(std::size_t items, FakeStage::Work work, Load load = Load::io) {
    auto stage = std::make_unique<FakeStage>(std::move(work), load);
    const auto middle = add(plan, "middle", std::move(stage), {add_source(plan, items)});
    plan.run.fuse = false;
    add(plan, "sink", arrivals.taker(), {middle});
  }
  PlannedStage& middle() { return plan.stages[1]; }

  Plan plan;
  Arrivals arrivals;
};

Retry quick(std::size_t attempts) { return {attempts, 1ms, 2ms}; }

}  // namespace

TEST_CASE("what fails for a passing reason is tried again, in its place", "[run][retry]") {
  std::atomic<int> calls = 0;
  Line line(1, [&](ItemContext&, Payload payload, const Emit& emit) {
    if (++calls < 3) throw Error(ErrorKind::transient, "busy");
    emit(std::move(payload), std::nullopt);
  });
  line.middle().retry = quick(3);
  const Report report = run(line.plan);
  CHECK(report.done == 1);
  CHECK(calls == 3);
  CHECK(report.stages[1].retries == 2);
  CHECK(report.stages[1].done == 1);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].message == "worked at attempt 3; before: busy");
}

TEST_CASE("an attempt gets what the one before has spoilt", "[run][retry]") {
  std::atomic<int> calls = 0;
  Line line(1, [&](ItemContext&, Payload payload, const Emit& emit) {
    CHECK(std::get<Bytes>(payload).extension == "txt");
    std::get<Bytes>(payload).extension = "spoilt";
    if (++calls < 2) throw Error(ErrorKind::transient, "busy");
    emit(Bytes{nullptr, "txt"}, std::nullopt);
  });
  line.middle().retry = quick(2);
  CHECK(run(line.plan).done == 1);
}

TEST_CASE("the last attempt's error is the item's, with the number of attempts", "[run][retry]") {
  std::atomic<int> calls = 0;
  Line line(1, [&](ItemContext&, Payload, const Emit&) {
    throw Error(ErrorKind::transient, "busy " + std::to_string(++calls));
  });
  line.middle().retry = quick(3);
  const Report report = run(line.plan);
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].message == "busy 3 (attempt 3)");
  CHECK(report.failures[0].kind == ErrorKind::transient);
  CHECK(report.failed == 1);
}

TEST_CASE("what fails for good, and what has handed something on, is not tried again",
          "[run][retry]") {
  std::atomic<int> calls = 0;
  Line line(2, [&](ItemContext& context, Payload payload, const Emit& emit) {
    ++calls;
    if (context.origin().index == 0) throw Error(ErrorKind::input, "torn");
    emit(std::move(payload), 1u);
    throw Error(ErrorKind::transient, "busy");
  });
  line.middle().retry = quick(5);
  const Report report = run(line.plan);
  CHECK(calls == 2);
  CHECK(report.failed == 2);
  CHECK(line.arrivals.sorted() == std::vector<std::string>{"1 page 1"});
}

TEST_CASE("a cancelled run does not wait for another attempt", "[run][retry]") {
  const Shutdown shutdown;
  Line line(1, [&](ItemContext&, Payload, const Emit&) {
    shutdown.cancel();
    throw Error(ErrorKind::transient, "busy");
  });
  line.middle().retry = {3, 1h, 1h};
  const Report report = run(line.plan, shutdown);
  CHECK(report.cancelled == 1);
}

TEST_CASE("a stage that takes too long is stopped at its timeout, and the others go on",
          "[run][timeout]") {
  Line line(3, [](ItemContext& context, Payload payload, const Emit& emit) {
    if (context.origin().index == 1) {
      context.sleep_for(1h);
      context.check();
    }
    emit(std::move(payload), std::nullopt);
  });
  line.middle().timeout = 30ms;
  line.middle().retry = quick(3);
  const Report report = run(line.plan);
  CHECK(report.done == 2);
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].item == "1");
  CHECK(report.failures[0].message == "took longer than its timeout of 30ms");
  CHECK(report.stages[1].retries == 0);
}

TEST_CASE("waiting for room behind a stage is not its time", "[run][timeout]") {
  for (const bool fuse : {false, true}) {
    Plan plan;
    Progress progress;
    std::atomic<bool> second = false;
    Context::Clock::duration later{};
    auto two = [&](ItemContext& context, Payload payload, const Emit& emit) {
      const auto deadline = *context.deadline();
      emit(payload, 1u);
      second = true;
      emit(payload, 2u);
      later = *context.deadline() - deadline;
    };
    const auto a =
        add(plan, "a", std::make_unique<FakeStage>(two, Load::cpu), {add_source(plan, 1)}, 1, 0);
    auto slow = [&](ItemContext& context, Payload, const Emit&) {
      if (!fuse && *context.origin().page == 1)
        eventually([&] { return second && progress.stages()[a].waiting_output == 1; });
      context.sleep_for(60ms);
    };
    const Load load = fuse ? Load::cpu : Load::io;  // while it waits, the CPU is for the other
    add(plan, "b", std::make_unique<FakeStage>(slow, load), {a}, 1, 0);
    plan.stages[a].timeout = 40ms;
    plan.run.fuse = fuse;
    CHECK(run(plan, {}, &progress).done == 1);
    CHECK(later >= 60ms);
  }
}

TEST_CASE("no more items than its rate begin in a stage, attempts counted", "[run][rate]") {
  std::atomic<int> calls = 0;
  Line line(4, [&](ItemContext&, Payload, const Emit&) {
    ++calls;
    throw Error(ErrorKind::transient, "busy");
  });
  line.middle().rate = Rate{100};
  line.middle().retry = {2, 1us, 1us};
  const auto since = Context::Clock::now();
  const Report report = run(line.plan);
  CHECK(calls == 8);
  CHECK(Context::Clock::now() - since >= 70ms);  // the first comes at once, each other 10 ms later
  CHECK(report.stages[1].pausing > 0ms);
}

TEST_CASE("a cancel makes no timeout of the time that was waited for room", "[run][timeout]") {
  for (const bool fuse : {false, true}) {
    CAPTURE(fuse);
    Plan plan;
    const Shutdown shutdown;
    const auto first = add(plan, "first", std::make_unique<FakeStage>(pass, Load::cpu),
                           {add_source(plan, 5)}, 1, 0);
    auto block = [&](ItemContext& context, Payload, const Emit&) {
      context.sleep_for(60ms);  // more than the stage in front may take
      shutdown.cancel();
      context.check();
    };
    add(plan, "block", std::make_unique<FakeStage>(block, Load::cpu), {first}, 1, 0);
    plan.stages[first].timeout = 20ms;
    plan.run.fuse = fuse;
    const Report report = run(plan, shutdown);
    for (const auto& failure : report.failures) FAIL_CHECK(failure.stage + ": " + failure.message);
    CHECK(report.failed == 0);
  }
}
