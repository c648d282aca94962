// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>

#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"

using namespace millrace_test;

namespace {

void fail_thirds(ItemContext& context, Payload payload, const Emit& emit) {
  if (context.origin().index % 3 == 0) throw Error(ErrorKind::input, "torn");
  emit(std::move(payload), std::nullopt);
}

}  // namespace

TEST_CASE("inputs that failed go to whoever takes them, opened again, and count as failed",
          "[run][failed]") {
  Plan plan;
  Arrivals good, aside;
  const auto source = add_source(plan, 10);
  std::atomic<int> opened = 0;
  dynamic_cast<FakeSource&>(*plan.stages[source].stage).opening = [&](ItemContext&) { ++opened; };
  const auto judge = add(plan, "judge", fail_thirds, {source}, 2);
  add(plan, "sink", good.taker(), {judge});
  const auto failed = add_failed(plan, {source, judge});
  auto take = [&](ItemContext& context, Payload payload, const Emit&) {
    CHECK(std::get<Bytes>(payload).extension == "txt");
    aside.add(context.origin().label());
  };
  add(plan, "aside", take, {failed});
  const Report report = run(plan);
  CHECK(aside.sorted() == std::vector<std::string>{"0", "3", "6", "9"});
  CHECK(good.count() == 6);
  CHECK(report.failed == 4);
  CHECK(report.done == 6);
  CHECK(opened == 14);
}

TEST_CASE("an input of which several pages fail is set aside once, as a whole", "[run][failed]") {
  Plan plan;
  Arrivals good, aside;
  auto split = [](ItemContext&, Payload payload, const Emit& emit) {
    for (std::uint32_t page = 1; page <= 4; ++page) emit(payload, page);
  };
  auto judge = [](ItemContext& context, Payload payload, const Emit& emit) {
    if (*context.origin().page > 2) throw Error(ErrorKind::input, "torn");
    emit(std::move(payload), std::nullopt);
  };
  const auto pages = add(plan, "split", split, {add_source(plan, 2)});
  const auto judged = add(plan, "judge", judge, {pages}, 2);
  add(plan, "sink", good.taker(), {judged});
  add(plan, "aside", aside.taker(), {add_failed(plan, {pages, judged})});
  const Report report = run(plan);
  CHECK(aside.sorted() == std::vector<std::string>{"0", "1"});
  CHECK(good.count() == 4);
  CHECK(report.failures.size() == 4);
}

TEST_CASE("each of two takers of failures gets its own", "[run][failed]") {
  Plan plan;
  Arrivals all, of_judge;
  auto open = [](ItemContext& context) {
    if (context.origin().index == 1) throw Error(ErrorKind::input, "unreadable");
  };
  const auto source = add_source(plan, 4);
  const auto first = add(plan, "first", pass, {source});
  const auto judge = add(plan, "judge", fail_thirds, {first});
  add(plan, "sink", pass, {judge});
  plan.stages.back().stage = std::make_unique<FakeStage>([](ItemContext&, Payload, const Emit&) {});
  add(plan, "all", all.taker(), {add_failed(plan, {source, first, judge})});
  add(plan, "of_judge", of_judge.taker(), {add_failed(plan, {judge})});
  dynamic_cast<FakeSource&>(*plan.stages[source].stage).opening = open;
  const Report report = run(plan);
  CHECK(all.sorted() == std::vector<std::string>{"0", "3"});
  CHECK(of_judge.sorted() == std::vector<std::string>{"0", "3"});
  CHECK(report.failed == 3);
  CHECK(report.failures.size() == 3);  // what cannot be opened is not opened again
}

TEST_CASE("what fails among the failed is told and goes no further", "[run][failed]") {
  Plan plan;
  const auto source = add_source(plan, 3);
  const auto judge = add(plan, "judge", fail_thirds, {source});
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {judge});
  auto fail = [](ItemContext&, Payload, const Emit&) { throw Error(ErrorKind::resource, "full"); };
  add(plan, "aside", fail, {add_failed(plan, {source, judge})});
  const Report report = run(plan);
  CHECK(report.failed == 1);
  REQUIRE(report.failures.size() == 2);
  CHECK(report.failures[1].message == "full");
}

TEST_CASE("failed inputs keep the order at a sink that keeps it", "[run][failed][order]") {
  Plan plan;
  Arrivals good, aside;
  const auto source = add_source(plan, 60, 2);
  auto slow = [](ItemContext& context, Payload payload, const Emit& emit) {
    if (context.origin().index % 2 == 0) context.sleep_for(std::chrono::milliseconds(1));
    fail_thirds(context, std::move(payload), emit);
  };
  const auto judge = add(plan, "judge", slow, {source}, 4);
  add(plan, "sink", good.taker(), {judge});
  add(plan, "aside", aside.taker(), {add_failed(plan, {source, judge}, 0)});
  plan.run.order = Order::preserve;
  plan.run.in_flight = 5;
  run(plan);
  std::vector<std::string> failed, passed;
  for (int i = 0; i < 60; ++i) (i % 3 == 0 ? failed : passed).push_back(std::to_string(i));
  CHECK(aside.in_order() == failed);
  CHECK(good.in_order() == passed);
}

TEST_CASE("a failing sink hands its items to those who take what failed, in order",
          "[run][failed][order]") {
  Plan plan;
  Arrivals aside;
  const auto source = add_source(plan, 20, 2);
  const auto sink = add(plan, "sink", fail_thirds, {source});
  plan.stages[sink].stage = std::make_unique<FakeStage>(
      [](ItemContext&, Payload, const Emit&) { throw Error(ErrorKind::resource, "full"); });
  add(plan, "aside", aside.taker(), {add_failed(plan, {source, sink})});
  plan.run.order = Order::preserve;
  CHECK(run(plan).failed == 20);
  std::vector<std::string> all;
  for (int i = 0; i < 20; ++i) all.push_back(std::to_string(i));
  CHECK(aside.in_order() == all);
}

TEST_CASE("a run that stops at a failure sets nothing aside", "[run][failed]") {
  Plan plan;
  Arrivals aside;
  const auto source = add_source(plan, 5);
  const auto judge = add(plan, "judge", fail_thirds, {source});
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {judge});
  add(plan, "aside", aside.taker(), {add_failed(plan, {source, judge})});
  plan.run.on_error.action = OnError::Action::stop;
  const Report report = run(plan);
  CHECK(report.stopped_by_on_error);
  CHECK(report.failed == 1);
  CHECK(aside.count() == 0);
}

TEST_CASE("inputs are opened again with the patience that their source has", "[run][failed]") {
  Plan plan;
  Arrivals aside;
  const auto source = add_source(plan, 3);
  std::atomic<int> opened = 0;
  dynamic_cast<FakeSource&>(*plan.stages[source].stage).opening = [&](ItemContext& context) {
    if (context.origin().index == 0 && ++opened == 2) throw Error(ErrorKind::transient, "away");
  };
  plan.stages[source].retry = {2, {}, {}};
  const auto judge = add(plan, "judge", fail_thirds, {source});
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {judge});
  add(plan, "aside", aside.taker(), {add_failed(plan, {judge})});
  const Report report = run(plan);
  CHECK(aside.sorted() == std::vector<std::string>{"0"});
  CHECK(opened == 3);
  CHECK(report.failures.size() == 1);
}

TEST_CASE("inputs are opened again at the rate that their source has", "[run][failed][rate]") {
  Plan plan;
  const auto source = add_source(plan, 3, 3);
  plan.stages[source].rate = Rate{100};
  auto fail = [](ItemContext&, Payload, const Emit&) { throw Error(ErrorKind::input, "torn"); };
  const auto judge = add(plan, "judge", fail, {source}, 3);
  add(plan, "aside", [](ItemContext&, Payload, const Emit&) {}, {add_failed(plan, {judge})});
  const auto since = Context::Clock::now();
  CHECK(run(plan).failed == 3);
  CHECK(Context::Clock::now() - since >= std::chrono::milliseconds(50));  // six, 10 ms apart
}
