// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/run.hpp"

#include <atomic>
#include <opencv2/core.hpp>
#include <set>
#include <system_error>

#include "millrace/channel.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace_test;

TEST_CASE("every item goes through every stage once", "[run]") {
  const ThreadCount threads;
  Plan plan;
  Arrivals arrivals;
  const auto source = add_source(plan, 50, 3);
  const auto middle = add(plan, "middle", pass, {source}, 4, 3);
  add(plan, "sink", arrivals.taker(), {middle}, 2);
  const Report report = run(plan);
  CHECK(report.inputs == 50);
  CHECK(report.done == 50);
  std::set<std::string> labels;
  for (const auto& label : arrivals.sorted()) labels.insert(label);
  CHECK(labels.size() == 50);
  CHECK(arrivals.count() == 50);
  CHECK(report.stages[1].id == "middle");
  CHECK(report.stages[1].done == 50);
  CHECK(report.stages[1].queue_high_water <= 3);
  CHECK(threads.as_before());
}

TEST_CASE("no input is a run of nothing", "[run]") {
  Plan plan;
  add(plan, "sink", pass, {add_source(plan, 0)});
  const Report report = run(plan);
  CHECK(report.inputs == 0);
  CHECK(report.stages.size() == 2);
}

TEST_CASE("a branch gives each item to every consumer, and a merge takes from each", "[run]") {
  Plan plan;
  Arrivals left, both;
  const auto source = add_source(plan, 20);
  const auto a = add(plan, "a", pass, {source});
  const auto b = add(plan, "b", pass, {source});
  add(plan, "left", left.taker(), {a});
  add(plan, "both", both.taker(), {a, b}, 3, 0);
  const Report report = run(plan);
  CHECK(report.done == 20);
  CHECK(left.count() == 20);
  CHECK(both.count() == 40);
}

TEST_CASE("an item counts as its worst page or branch", "[run]") {
  Plan plan;
  Arrivals arrivals;
  const auto source = add_source(plan, 3);
  const auto split = add(plan, "split",
                         [](ItemContext&, Payload payload, const Emit& emit) {
                           for (std::uint32_t page = 1; page <= 3; ++page) emit(payload, page);
                         },
                         {source});
  const auto judge = add(plan, "judge",
                         [](ItemContext& context, Payload payload, const Emit& emit) {
                           const auto& origin = context.origin();
                           if (origin.index == 0) return context.skip("none is wanted");
                           if (origin.page == 2u) return context.skip("a blank page");
                           if (origin.index == 2 && origin.page == 3u)
                             throw Error(ErrorKind::input, "torn");
                           emit(std::move(payload), std::nullopt);
                         },
                         {split});
  add(plan, "sink", arrivals.taker(), {judge});
  const Report report = run(plan);
  CHECK(report.skipped == 1);
  CHECK(report.done == 1);
  CHECK(report.failed == 1);
  CHECK(arrivals.sorted() == std::vector<std::string>{"1 page 1", "1 page 3", "2 page 1"});
  CHECK(report.failures.at(0).item == "2 page 3");
  CHECK(report.skips.size() == 5);
}

TEST_CASE("whatever a stage throws is its item's failure, and the others go on", "[run]") {
  Plan plan;
  Arrivals arrivals;
  const auto source = add_source(plan, 8);
  auto work = [](ItemContext& context, Payload payload, const Emit& emit) {
    switch (context.origin().index) {
      case 1:
        throw Error(ErrorKind::input, "truncated");
      case 2:
        throw 42;
      case 3:
        throw std::bad_alloc();
      case 4:
        CV_Error(cv::Error::StsAssert, "ssize.empty()");
      case 5:
        throw std::system_error(ENOSPC, std::generic_category(), "write");
      case 6:
        throw std::out_of_range("vector::at");
      default:
        emit(std::move(payload), std::nullopt);
    }
  };
  add(plan, "sink", arrivals.taker(), {add(plan, "bad", work, {source}, 3)});
  const Report report = run(plan);
  CHECK(arrivals.sorted() == std::vector<std::string>{"0", "7"});
  REQUIRE(report.failures.size() == 6);
  CHECK(report.failed == 6);
  CHECK(report.stages[1].failed == 6);
  const ErrorKind kinds[] = {ErrorKind::input,    ErrorKind::internal, ErrorKind::resource,
                             ErrorKind::internal, ErrorKind::resource, ErrorKind::internal};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(report.failures[i].item == std::to_string(i + 1));
    CHECK(report.failures[i].stage == "bad");
    CHECK(report.failures[i].kind == kinds[i]);
  }
  CHECK(report.failures[0].message == "truncated");
  CHECK_THAT(report.failures[3].message, ContainsSubstring("ssize.empty()"));
  CHECK_THAT(report.failures[3].message, !ContainsSubstring(".cpp"));
}

TEST_CASE("failures and warnings come in the source's order whatever ends first", "[run]") {
  Plan plan;
  auto work = [](ItemContext& context, Payload, const Emit&) {
    context.warn("odd");
    context.sleep_for(std::chrono::microseconds(context.origin().index * 7919 % 500));
    throw Error(ErrorKind::input, "bad");
  };
  add(plan, "bad", work, {add_source(plan, 40, 4)}, 8);
  const Report report = run(plan);
  REQUIRE(report.failures.size() == 40);
  REQUIRE(report.warnings.size() == 40);
  for (std::size_t i = 0; i < 40; ++i) {
    CHECK(report.failures[i].item == std::to_string(i));
    CHECK(report.warnings[i].item == std::to_string(i));
  }
  CHECK(report.warnings[0].message == "odd");
}

TEST_CASE("of many warnings of one item the first ones are told", "[run]") {
  Plan plan;
  auto work = [](ItemContext& context, Payload, const Emit&) {
    for (int i = 0; i < 1000; ++i) context.warn("row " + std::to_string(i));
  };
  add(plan, "talks", work, {add_source(plan, 1)});
  const Report report = run(plan);
  REQUIRE(report.warnings.size() == 21);
  CHECK(report.warnings[19].message == "row 19");
  CHECK(report.warnings[20].message == "and 980 more warnings");
}

TEST_CASE("what cannot be listed or opened is a failed input", "[run]") {
  Plan plan;
  Arrivals arrivals;
  auto fake = std::make_unique<FakeSource>(6);
  fake->unlistable = [](std::size_t index) { return index == 2; };
  fake->opening = [](ItemContext& context) {
    if (context.origin().index == 4) throw Error(ErrorKind::input, "permission denied");
    if (context.origin().index == 5) context.skip("empty");
  };
  const auto source = add(plan, "files", std::move(fake), {});
  add(plan, "sink", arrivals.taker(), {source});
  const Report report = run(plan);
  CHECK(report.inputs == 6);
  CHECK(report.done == 3);
  CHECK(report.failed == 2);
  CHECK(report.skipped == 1);
  REQUIRE(report.failures.size() == 2);
  CHECK(report.failures[0].message == "cannot be listed");
  CHECK(report.failures[0].stage == "files");
  CHECK(report.failures[1].message == "permission denied");
}

TEST_CASE("a source that cannot list at all ends the run with its name", "[run]") {
  struct Gone final : Source {
    std::optional<PayloadKind> gives() const override { return PayloadKind::bytes; }
    void list(const Context&, const std::function<void(Origin)>&,
              const std::function<void(Origin, Error)>&) const override {
      throw Error(ErrorKind::usage, "no such folder");
    }
    Payload open(ItemContext&) const override { return Bytes{}; }
  };
  Plan plan;
  const auto source = add(plan, "files", std::make_unique<Gone>(), {});
  add(plan, "sink", pass, {source});
  CHECK_THROWS_WITH(run(plan), "files: no such folder");
}

namespace {

/// A sink that complains about every output of an odd item.
struct Planner final : FakeStage, OutputPlanner {
  using FakeStage::FakeStage;
  OutputForecast prepare(const std::vector<const Origin*>& items,
                         std::shared_ptr<RunOutputs>) override {
    OutputForecast forecast;
    for (const auto* item : items)
      if (item->index % 2 == 1)
        forecast.complaints.push_back(item->path + " would overwrite its input");
    seen = items.size();
    return forecast;
  }
  std::size_t seen = 0;
};

}  // namespace

TEST_CASE("complaints of every sink stop the run before any work", "[run]") {
  Plan plan;
  Arrivals arrivals;
  const auto source = add_source(plan, 4);
  add(plan, "write", std::make_unique<Planner>(arrivals.taker()), {source});
  add(plan, "write2", std::make_unique<Planner>(arrivals.taker()), {source});
  try {
    run(plan);
    FAIL("it ran");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::config);
    CHECK(std::string(error.what()) ==
          "write: 1 would overwrite its input\nwrite: 3 would overwrite its input\n"
          "write2: 1 would overwrite its input\nwrite2: 3 would overwrite its input");
  }
  CHECK(arrivals.count() == 0);
}

TEST_CASE("a sink is shown the items of its own sources only", "[run]") {
  Plan plan;
  Arrivals arrivals;
  const auto one = add_source(plan, 1);
  const auto other = add_source(plan, 5);
  auto planner = std::make_unique<Planner>(arrivals.taker());
  const auto* shown = planner.get();
  add(plan, "write", std::move(planner), {add(plan, "middle", pass, {one})});
  add(plan, "sink", arrivals.taker(), {other});
  run(plan);
  CHECK(shown->seen == 1);
  CHECK(arrivals.count() == 6);
}

TEST_CASE("progress shows every input and how it ended", "[run]") {
  Plan plan;
  Progress progress;
  std::atomic<std::size_t> seen = 0;
  auto work = [&](ItemContext& context, Payload, const Emit&) {
    seen = progress.inputs.load();
    if (context.origin().index == 3) throw Error(ErrorKind::input, "bad");
  };
  add(plan, "sink", work, {add_source(plan, 10)});
  run(plan, {}, &progress);
  CHECK(seen == 10);
  CHECK(progress.ended() == 10);
  CHECK(progress.done == 9);
  CHECK(progress.failed == 1);
}

TEST_CASE("a consumer that is stuck does not keep another from its parcel", "[run]") {
  Plan plan;
  Channel<int> gate;
  Arrivals right;
  Progress progress;
  const auto source = add_source(plan, 4);
  const auto both = add(plan, "both", pass, {source}, 1, 0);
  auto wait_for_gate = [&](ItemContext& context, Payload, const Emit&) {
    (void)gate.receiver().pop(context);
  };
  add(plan, "left", wait_for_gate, {both}, 1, 1);
  // The third finds no room on either side; this side makes some only then.
  auto take = [&](ItemContext& context, Payload, const Emit&) {
    if (context.origin().index == 1)
      eventually([&] { return progress.stages()[both].waiting_output == 1; });
    right.add(context.origin().label());
    if (context.origin().index == 2) gate.close();  // without which the run would not end
  };
  add(plan, "right", take, {both}, 1, 0);
  CHECK(run(plan, {}, &progress).done == 4);
  CHECK(right.count() == 4);
}
