// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "run/slowest.hpp"
#include "support/catch.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

/// What was told of each item, in order.
struct Diary final : RunObserver {
  void ended(const ItemEnd& end) noexcept override {
    const std::lock_guard lock(mutex);
    ends[end.item].push_back(end);
    told[end.item] += "ended ";
  }
  void failed(const Failure& failure) noexcept override { note(failure, "failed "); }
  void skipped(const Failure& skip) noexcept override { note(skip, "skipped "); }
  void warned(const Failure& warning) noexcept override { note(warning, "warned "); }
  void note(const Failure& what, const char* word) {
    const std::lock_guard lock(mutex);
    told[what.item] += word;
  }

  std::mutex mutex;
  std::map<std::string, std::string> told;
  std::map<std::string, std::vector<ItemEnd>> ends;
};

}  // namespace

TEST_CASE("an observer is told all of an item, and of its end once and last", "[run][observer]") {
  Plan plan;
  auto work = [](ItemContext& context, Payload payload, const Emit& emit) {
    const auto index = context.origin().index;
    if (index == 1) context.warn("odd");
    if (index == 1) throw Error(ErrorKind::input, "broken");
    if (index == 2) return context.skip("not wanted");
    emit(std::move(payload), std::nullopt);
  };
  const auto middle = add(plan, "middle", work, {add_source(plan, 3)});
  add(plan, "left", [](ItemContext&, Payload, const Emit&) {}, {middle});
  add(plan, "right", [](ItemContext&, Payload, const Emit&) {}, {middle});
  Diary diary;
  const auto report = run(plan, {}, nullptr, &diary);
  CHECK(diary.told["0"] == "ended ");
  CHECK(diary.told["1"] == "warned failed ended ");
  CHECK(diary.told["2"] == "skipped ended ");
  CHECK(diary.ends["0"].at(0).ending == Ending::done);
  CHECK(diary.ends["1"].at(0).ending == Ending::failed);
  CHECK(diary.ends["2"].at(0).ending == Ending::skipped);
  CHECK(report.inputs == 3);
}

TEST_CASE("what cannot be listed is told as failed, and has ended", "[run][observer]") {
  Plan plan;
  auto source = std::make_unique<FakeSource>(2);
  source->unlistable = [](std::size_t i) { return i == 1; };
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {},
      {add(plan, "source", std::move(source), {})});
  Diary diary;
  run(plan, {}, nullptr, &diary);
  CHECK(diary.told["0"] == "ended ");
  CHECK(diary.told["1"] == "failed ended ");
}

TEST_CASE("the report names the slowest inputs and the stage that took longest", "[run][slowest]") {
  Plan plan;
  auto slow = [](ItemContext& context, Payload payload, const Emit& emit) {
    if (context.origin().index == 3) context.sleep_for(50ms);
    emit(std::move(payload), std::nullopt);
  };
  const auto first = add(plan, "first", pass, {add_source(plan, 15)});
  const auto second = add(plan, "second", slow, {first});
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {second});
  const auto report = run(plan);
  REQUIRE(report.slowest.size() == 10);
  for (std::size_t i = 1; i < 10; ++i)
    CHECK(report.slowest[i - 1].elapsed >= report.slowest[i].elapsed);
  const auto found = std::ranges::find(report.slowest, "3", &ItemEnd::item);
  REQUIRE(found != report.slowest.end());
  CHECK(found->stage == "second");
  CHECK(found->worked >= 50ms);
  CHECK(found->elapsed >= found->worked);
}

TEST_CASE("the slowest are kept, whatever comes first", "[run][slowest]") {
  Slowest slowest;
  for (int i = 0; i < 100; ++i) {
    const Duration time = 1ms * (i * 37 % 100);
    if (slowest.has_place_for(time)) slowest.add({std::to_string(i * 37 % 100), {}, time, {}, {}});
  }
  const auto all = slowest.all();
  REQUIRE(all.size() == Slowest::most);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].item == std::to_string(99 - i));
  CHECK_FALSE(slowest.has_place_for(90ms));
  CHECK(slowest.has_place_for(91ms));
}
