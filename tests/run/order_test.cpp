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

/// Even items take longer, so that odd ones overtake them.
void dawdle(ItemContext& context, Payload payload, const Emit& emit) {
  if (context.origin().index % 2 == 0) context.sleep_for(1ms);
  emit(std::move(payload), std::nullopt);
}

std::vector<std::string> numbers(std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(std::to_string(i));
  return labels;
}

}  // namespace

TEST_CASE("order preserve gives a sink the items in the source's order", "[run][order]") {
  Plan plan;
  Arrivals arrivals;
  const auto slow = add(plan, "slow", dawdle, {add_source(plan, 60, 3)}, 4, 3);
  add(plan, "sink", arrivals.taker(), {slow});
  plan.run.order = Order::preserve;
  CHECK(run(plan).done == 60);
  CHECK(arrivals.in_order() == numbers(60));
}

TEST_CASE("nobody waits for an item that fails, is skipped or is dropped", "[run][order]") {
  Plan plan;
  Arrivals arrivals;
  auto judge = [](ItemContext& context, Payload payload, const Emit& emit) {
    if (context.origin().index % 2 == 0) context.sleep_for(1ms);
    if (context.origin().index % 5 == 0) throw Error(ErrorKind::input, "torn");
    if (context.origin().index % 5 == 1) return context.skip("not wanted");
    if (context.origin().index % 5 == 2) return;
    emit(std::move(payload), std::nullopt);
  };
  const auto middle = add(plan, "judge", judge, {add_source(plan, 40, 3)}, 4);
  add(plan, "sink", arrivals.taker(), {middle});
  plan.run.order = Order::preserve;
  const Report report = run(plan);
  std::vector<std::string> expected;
  for (int i = 0; i < 40; ++i)
    if (i % 5 > 2) expected.push_back(std::to_string(i));
  CHECK(arrivals.in_order() == expected);
  CHECK(report.failed == 8);
}

TEST_CASE("the pages of an item come in order, between the items around it", "[run][order]") {
  Plan plan;
  Arrivals arrivals;
  auto split = [](ItemContext& context, Payload payload, const Emit& emit) {
    for (std::uint32_t page = 1; page <= context.origin().index % 4; ++page) emit(payload, page);
  };
  auto slow = [](ItemContext& context, Payload payload, const Emit& emit) {
    context.sleep_for(1ms * (*context.origin().page % 3));
    emit(std::move(payload), std::nullopt);
  };
  const auto splitter = add(plan, "split", split, {add_source(plan, 12, 2)}, 2);
  add(plan, "sink", arrivals.taker(), {add(plan, "slow", slow, {splitter}, 4)});
  plan.run.order = Order::preserve;
  run(plan);
  std::vector<std::string> expected;
  for (int item = 0; item < 12; ++item)
    for (int page = 1; page <= item % 4; ++page)
      expected.push_back(std::to_string(item) + " page " + std::to_string(page));
  CHECK(arrivals.in_order() == expected);
}

TEST_CASE("the first pages of a document do not wait for its last to be made", "[run][order]") {
  Plan plan;
  Arrivals arrivals;
  std::atomic<bool> seen = false;
  auto split = [&](ItemContext&, Payload payload, const Emit& emit) {
    emit(payload, 1u);
    seen = eventually([&] { return arrivals.count() == 1; });
    emit(payload, 2u);
  };
  add(plan, "sink", arrivals.taker(), {add(plan, "split", split, {add_source(plan, 1)})});
  plan.run.order = Order::preserve;
  run(plan);
  CHECK(seen);
}

TEST_CASE("branches that meet again keep the order too, with a small window", "[run][order]") {
  Plan plan;
  Arrivals both, left;
  const auto source = add_source(plan, 30, 2);
  const auto a = add(plan, "a", dawdle, {source}, 3, 0);
  const auto b = add(plan, "b", pass, {source}, 2, 1);
  add(plan, "both", both.taker(), {a, b});
  add(plan, "left", left.taker(), {a});
  plan.run.order = Order::preserve;
  plan.run.in_flight = 2;
  run(plan);
  std::vector<std::string> twice;
  for (const auto& label : numbers(30)) twice.insert(twice.end(), 2, label);
  CHECK(both.in_order() == twice);
  CHECK(left.in_order() == numbers(30));
}

TEST_CASE("several sources take turns", "[run][order]") {
  Plan plan;
  Arrivals arrivals;
  const auto a = add_source(plan, 3), b = add_source(plan, 5);
  const auto name = [](std::string prefix) {
    return [prefix](ItemContext&, Payload, const Emit& emit) {
      emit(Bytes{nullptr, prefix}, std::nullopt);
    };
  };
  const auto from_a = add(plan, "a", name("a"), {a}, 2), from_b = add(plan, "b", name("b"), {b}, 2);
  auto take = [&](ItemContext& context, Payload payload, const Emit&) {
    arrivals.add(std::get<Bytes>(payload).extension + context.origin().label());
  };
  add(plan, "sink", take, {from_a, from_b});
  plan.run.order = Order::preserve;
  run(plan);
  CHECK(arrivals.in_order() ==
        std::vector<std::string>{"a0", "b0", "a1", "b1", "a2", "b2", "b3", "b4"});
}

TEST_CASE("a run that keeps the order can be cancelled while it holds something back",
          "[run][order]") {
  Plan plan;
  Arrivals arrivals;
  const Shutdown shutdown;
  auto stuck = [&](ItemContext& context, Payload payload, const Emit& emit) {
    if (context.origin().index == 0) {
      while (!context.done()) context.sleep_for(1h);
      return;
    }
    if (context.origin().index == 3) shutdown.cancel();
    emit(std::move(payload), std::nullopt);
  };
  add(plan, "sink", arrivals.taker(), {add(plan, "stuck", stuck, {add_source(plan, 9)}, 2)});
  plan.run.order = Order::preserve;
  const Report report = run(plan, shutdown);
  CHECK(report.cancelled >= 6);
  CHECK(report.inputs == report.done + report.cancelled);
}
