// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/progress.hpp"

#include <atomic>
#include <regex>
#include <thread>

#include "millrace/channel.hpp"
#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

/// A run with a stage in the middle that waits until it is let go, looked at from outside.
struct Stuck {
  Stuck() {
    const auto source = add_source(plan, 8);
    auto wait = [this](ItemContext& context, Payload payload, const Emit& emit) {
      (void)gate.receiver().pop(context);
      emit(std::move(payload), std::nullopt);
    };
    const auto middle = add(plan, "middle", wait, {source}, 2, 1);
    add(
        plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {middle}, 3);
    runner = std::jthread([this] { report = run(plan, {}, &progress); });
  }
  ~Stuck() { gate.close(); }  // a broken law must not be a hang
  std::vector<StageState> when_stuck() {
    std::vector<StageState> states;
    eventually([&] {
      states = progress.stages();  // not all of one moment: the three given are what comes last
      return states.size() == 3 && states[0].done == 3 && states[0].waiting_output == 1 &&
             states[1].working.size() == 2 && states[1].queue_depth == 1;
    });
    return states;
  }
  void let_go() {
    gate.close();
    runner.join();
  }

  Plan plan;
  Channel<int> gate;
  Progress progress;
  Report report;
  std::jthread runner;
};

}  // namespace

TEST_CASE("a running plan shows who works on what and who waits for whom", "[run][progress]") {
  Stuck stuck;
  const auto states = stuck.when_stuck();
  REQUIRE(states.size() == 3);
  CHECK(states[0].waiting_output == 1);
  CHECK(states[1].working.size() == 2);
  CHECK(states[1].queue_depth == 1);
  CHECK(states[1].queue_capacity == 1);
  CHECK(states[2].waiting_input() == 3);
  const auto text = describe(states);
  CHECK_THAT(text, ContainsSubstring("source0: 1 waits for room behind it"));
  const std::regex middle(
      R"(middle: works on [01] \(\d+ s\), works on [01] \(\d+ s\); 1 in the queue)");
  CHECK(std::regex_search(text, middle));
  CHECK_THAT(text, ContainsSubstring("sink: waits for input"));
  stuck.let_go();
  CHECK(stuck.progress.stages().empty());
  CHECK(stuck.report.done == 8);
}

TEST_CASE("the report says how long each stage worked and waited", "[run][progress]") {
  Plan plan;
  Progress progress;
  std::atomic<std::size_t> next = 0;
  auto quick = [&](ItemContext& context, Payload payload, const Emit& emit) {
    next = context.origin().index;
    emit(std::move(payload), std::nullopt);
  };
  const auto first = add(plan, "first", quick, {add_source(plan, 3)}, 1, 1);
  auto slow = [&](ItemContext& context, Payload, const Emit&) {
    const auto own = context.origin().index;
    const auto keeps_waiting = [&] {
      return next == own + 1 && progress.stages()[first].waiting_output == 1;
    };
    if (own < 2) eventually(keeps_waiting);
    context.sleep_for(20ms);
  };
  const auto last = add(plan, "last", slow, {first}, 1, 0);
  const Report report = run(plan, {}, &progress);
  CHECK(report.stages[last].busy >= 60ms);
  CHECK(report.stages[first].waiting_output >= 40ms);
  for (const auto stage : {first, last}) {  // of the one worker, no time is told twice
    const auto& times = report.stages[stage];
    CHECK(times.busy + times.waiting_input + times.waiting_output <= report.elapsed);
  }
}

TEST_CASE("a stall is told after its time, again after as long, and not while something moves",
          "[run][progress]") {
  StageState stage;
  stage.id = "ocr";
  stage.workers = 2;
  stage.working.push_back({"page.tif", 75s});
  StallWatch watch(60s);
  const Context::Clock::time_point start{};
  CHECK_FALSE(watch.look({stage}, start));
  CHECK_FALSE(watch.look({stage}, start + 59s));
  stage.done = 1;
  CHECK_FALSE(watch.look({stage}, start + 61s));
  CHECK_FALSE(watch.look({stage}, start + 120s));
  const auto told = watch.look({stage}, start + 121s);
  REQUIRE(told);
  CHECK(*told == "nothing has moved for 60 s:\nocr: works on page.tif (75 s)\n");
  CHECK_FALSE(watch.look({stage}, start + 180s));
  CHECK_THAT(*watch.look({stage}, start + 181s), ContainsSubstring("for 120 s"));
  CHECK_FALSE(watch.look({}, start + 400s));
  stage.pausing = 1;
  CHECK_FALSE(watch.look({stage}, start + 401s));
  CHECK_FALSE(watch.look({stage}, start + 999s));
}

TEST_CASE("how much of an item is done, where its stage tells, is seen while it works",
          "[run][progress]") {
  Plan plan;
  Progress progress;
  std::string seen;
  auto tell = [&](ItemContext& context, Payload, const Emit&) {
    context.progress(0.4);
    seen = describe(progress.stages());
  };
  add(plan, "slow", tell, {add_source(plan, 1)});
  run(plan, Shutdown(), &progress);
  CHECK_THAT(seen, ContainsSubstring("slow: works on 0 (0 s, 40%)"));
}

TEST_CASE("a forgotten close is found: the stall names who waits on what", "[run][progress]") {
  Stuck stuck;
  const auto states = stuck.when_stuck();
  StallWatch watch(1ms);
  CHECK_FALSE(watch.look(states, Context::Clock::now()));
  const auto told = watch.look(stuck.progress.stages(), Context::Clock::now() + 1s);
  REQUIRE(told);
  CHECK_THAT(*told, ContainsSubstring("middle: works on"));
  CHECK_THAT(*told, ContainsSubstring("source0: 1 waits for room behind it"));
  stuck.let_go();
}
