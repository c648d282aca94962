// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <thread>

#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

void fail_odd(ItemContext& context, Payload, const Emit&) {
  if (context.origin().index % 2 == 1) throw Error(ErrorKind::input, "odd");
}

OnError limit(double value, bool percent = false) {
  return {OnError::Action::limit, {value, percent}};
}

/// One item after another, so that what ran before a stop is known.
Plan in_single_file(std::size_t items, FakeStage::Work work) {
  Plan plan;
  add(plan, "sink", std::move(work), {add_source(plan, items)});
  plan.run.in_flight = 1;
  return plan;
}

}  // namespace

TEST_CASE("on_error stop ends the run at the first failure", "[run][ending]") {
  Plan plan = in_single_file(20, fail_odd);
  plan.run.on_error.action = OnError::Action::stop;
  const Report report = run(plan);
  CHECK(report.stopped_by_on_error);
  CHECK(report.done == 1);
  CHECK(report.failed == 1);
  CHECK(report.cancelled == 18);
}

TEST_CASE("on_error limit tolerates as many failures as it says", "[run][ending]") {
  Plan plan = in_single_file(20, fail_odd);
  plan.run.on_error = limit(3);
  const Report stopped = run(plan);
  CHECK(stopped.stopped_by_on_error);
  CHECK(stopped.failed == 4);
  CHECK(stopped.done == 4);
  plan.run.on_error = limit(10);
  const Report ended = run(plan);
  CHECK_FALSE(ended.stopped_by_on_error);
  CHECK(ended.failed == 10);
}

TEST_CASE("on_error limit in percent is of the inputs", "[run][ending]") {
  Plan plan = in_single_file(20, fail_odd);
  plan.run.on_error = limit(25, true);
  CHECK(run(plan).failed == 6);
  plan.run.on_error = limit(50, true);
  CHECK(run(plan).failed == 10);
  CHECK_FALSE(run(plan).stopped_by_on_error);
}

TEST_CASE("a stage's on_error overrides the run's for what fails there", "[run][ending]") {
  Plan plan = in_single_file(20, fail_odd);
  plan.run.on_error.action = OnError::Action::stop;
  plan.stages[1].on_error = OnError{};
  CHECK_FALSE(run(plan).stopped_by_on_error);
  plan.run.on_error.action = OnError::Action::carry_on;
  plan.stages[1].on_error = limit(0);
  CHECK(run(plan).stopped_by_on_error);
}

TEST_CASE("pages of one input that fail are one failure for the limit", "[run][ending]") {
  Plan plan;
  const auto source = add_source(plan, 4);
  auto pages = [](ItemContext&, Payload payload, const Emit& emit) {
    for (std::uint32_t page = 1; page <= 5; ++page) emit(payload, page);
  };
  auto fail = [](ItemContext& context, Payload, const Emit&) {
    if (context.origin().index == 2) throw Error(ErrorKind::input, "torn");
  };
  add(plan, "sink", fail, {add(plan, "split", pages, {source})}, 2);
  plan.run.on_error = limit(1);
  const Report report = run(plan);
  CHECK_FALSE(report.stopped_by_on_error);
  CHECK(report.failures.size() == 5);
  CHECK(report.failed == 1);
}

TEST_CASE("draining admits nothing more and ends normally what is under way", "[run][ending]") {
  const ThreadCount threads;
  Plan plan;
  const Shutdown shutdown;
  std::atomic<int> begun = 0, completed = 0;
  const auto source = add_source(plan, 100, 2);
  const auto middle = add(plan, "middle", pass, {source}, 2);
  auto work = [&](ItemContext& context, Payload, const Emit&) {
    if (++begun == 4) shutdown.drain();
    while (begun >= 4 && !shutdown.admission().done()) context.sleep_for(1ms);
    if (context.sleep_for(1ms)) ++completed;
  };
  add(plan, "sink", work, {middle}, 2);
  plan.run.in_flight = 6;
  const Report report = run(plan, shutdown);
  CHECK(report.done == static_cast<std::size_t>(completed));
  CHECK(report.done >= 4);
  CHECK(report.done <= 3 + 6);  // those before, and the window
  CHECK(report.done + report.cancelled == 100);
  CHECK(report.failures.empty());
  CHECK(threads.as_before());
}

TEST_CASE("cancelling ends what is under way, at every stage", "[run][ending]") {
  const ThreadCount threads;
  Plan plan;
  const Shutdown shutdown;
  const auto source = add_source(plan, 100, 4);
  const auto middle = add(plan, "middle", pass, {source}, 3, 1);
  std::atomic<int> blocked = 0;
  auto work = [&](ItemContext& context, Payload, const Emit&) {
    if (++blocked == 2) shutdown.cancel();
    context.sleep_for(1h);
    context.check();
  };
  add(plan, "sink", work, {middle}, 2, 1);
  const Report report = run(plan, shutdown);
  CHECK(report.cancelled == 100);
  CHECK(report.failures.empty());
  CHECK_FALSE(report.stopped_by_on_error);
  CHECK(threads.as_before());
}

TEST_CASE("cancelling the work alone ends the wait for a place in the window", "[run][ending]") {
  Plan plan;
  const Shutdown shutdown;
  std::atomic<int> opened = 0;
  auto fake = std::make_unique<FakeSource>(20);
  fake->opening = [&](ItemContext&) { ++opened; };
  auto stuck = [&](ItemContext& context, Payload, const Emit&) {
    eventually([&] { return opened == 3; });  // one here, two wait in the channel
    context.sleep_for(2ms);
    shutdown.work().cancel();
  };
  add(plan, "sink", stuck, {add(plan, "source", std::move(fake), {})}, 1, 4);
  plan.run.in_flight = 3;
  const Report report = run(plan, shutdown);
  CHECK(report.done == 1);
  CHECK(report.cancelled == 19);
}

TEST_CASE("a run that is cancelled before it begins does nothing", "[run][ending]") {
  Plan plan;
  Arrivals arrivals;
  add(plan, "sink", arrivals.taker(), {add_source(plan, 5)});
  const Shutdown shutdown;
  shutdown.cancel();
  const Report report = run(plan, shutdown);
  CHECK(report.cancelled == report.inputs);
  CHECK(arrivals.count() == 0);
}

TEST_CASE("a listing that is interrupted ends the run without an error", "[run][ending]") {
  struct Endless final : Source {
    std::optional<PayloadKind> gives() const override { return PayloadKind::bytes; }
    void list(const Context& context, const std::function<void(Origin)>& found,
              const std::function<void(Origin, Error)>&) const override {
      for (std::uint64_t i = 0;; ++i) {
        context.check();
        if (i < 7)
          found({std::to_string(i), {}, i, {}});
        else
          context.sleep_for(1h);
      }
    }
    Payload open(ItemContext&) const override { return Bytes{}; }
  };
  Plan plan;
  add(plan, "sink", pass, {add(plan, "endless", std::make_unique<Endless>(), {})});
  const Shutdown shutdown;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(5ms);
    shutdown.drain();
  });
  const Report report = run(plan, shutdown);
  CHECK(report.inputs == report.cancelled);
}

TEST_CASE("a stage's own deadline is a failure, not a cancellation", "[run][ending]") {
  Plan plan = in_single_file(2, [](ItemContext& context, Payload, const Emit&) {
    const Context own = context.child(1ms);
    own.sleep_for(1h);
    own.check();
  });
  const Report report = run(plan);
  CHECK(report.failed == 2);
  CHECK(report.failures.at(0).message == "the deadline has passed");
}

TEST_CASE("an item that is swallowed on cancel is still counted", "[run][ending]") {
  Plan plan;
  const Shutdown shutdown;
  const auto source = add_source(plan, 10, 2);
  auto swallow = [](ItemContext&, Payload payload, const Emit& emit) {
    try {
      emit(std::move(payload), std::nullopt);
    } catch (const Error&) {  // a stage that does not know what it does
    }
  };
  const auto middle = add(plan, "middle", swallow, {source}, 2, 0);
  auto stuck = [&](ItemContext& context, Payload, const Emit&) {
    context.sleep_for(2ms);
    shutdown.cancel();
  };
  add(plan, "sink", stuck, {middle}, 1, 0);
  const Report report = run(plan, shutdown);
  CHECK(report.inputs == 10);
  CHECK(report.done + report.cancelled == 10);
  CHECK(report.cancelled >= 8);
}
