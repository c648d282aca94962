// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <mutex>

#include "millrace/run.hpp"
#include "plan/draft.hpp"
#include "plugins/abi/c_stage.hpp"
#include "run/fakes.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

/// What a stage saw of itself.
struct Seen {
  std::atomic<int> now{0}, most{0}, instances{0}, workers{0}, ended{0};
  std::mutex mutex;
  std::vector<std::string> order;
};
Seen* seen = nullptr;

mr_result look(void*, void*, mr_item* item, mr_payload* input) {
  const int now = ++seen->now;
  int most = seen->most;
  while (now > most && !seen->most.compare_exchange_weak(most, now)) {
  }
  {
    const std::lock_guard lock(seen->mutex);
    seen->order.emplace_back(host().item_attribute(item, "label"));
  }
  std::this_thread::sleep_for(1ms);
  --seen->now;
  return host().emit(item, input, 0);
}

mr_stage in_mode(std::int32_t mode) {
  mr_stage stage = described(look);
  stage.mode = mode;
  stage.load = MR_LOAD_IO;
  stage.create = [](void*, const mr_options*, void** instance) -> mr_result {
    ++seen->instances;
    *instance = seen;
    return MR_OK;
  };
  stage.destroy = [](void*) { ++seen->ended; };
  return stage;
}

/// Even items take longer, so that odd ones overtake them.
void dawdle(ItemContext& context, Payload payload, const Emit& emit) {
  if (context.origin().index % 2 == 0) context.sleep_for(3ms);
  emit(std::move(payload), std::nullopt);
}

/// Runs 24 items through a stage of that mode, behind one in which they overtake one another.
void run_mode(std::int32_t mode, std::size_t workers) {
  Plan plan;
  Arrivals arrivals;
  const auto slow = add(plan, "slow", dawdle, {add_source(plan, 24, 3)}, 4);
  const auto tried = add(plan, "tried", made(in_mode(mode)), {slow}, workers);
  add(plan, "sink", arrivals.taker(), {tried}, 4);
  CHECK(run(plan).done == 24);
  CHECK(arrivals.count() == 24);
}

LoadResult load(const std::string& text, std::int32_t mode) {
  static mr_stage stage;
  stage = in_mode(mode);
  Catalogue catalogue;
  catalogue.add({"tried", "Be tried.", Role::stage, [] { return made(stage); }, {}});
  catalogue.add(
      {"from", "Give items.", Role::stage, [] { return std::make_unique<FakeSource>(9); }, {}});
  mr_stage sink = described([](void*, void*, mr_item*, mr_payload*) -> mr_result { return MR_OK; });
  sink.gives = 0;
  catalogue.add({"to", "Take items.", Role::stage, [sink] { return made(sink); }, {}});
  return load_pipeline(text, "p.yaml", {}, catalogue);
}

}  // namespace

TEST_CASE("a serial stage of a C plugin sees one item at a time", "[plugin][abi][modes]") {
  Seen here;
  seen = &here;
  run_mode(MR_SERIAL_UNORDERED, 1);
  CHECK(here.most == 1);
  CHECK(here.instances == 1);
  CHECK(here.ended == 1);
}

TEST_CASE("a serial ordered stage sees the items in the source's order, whatever the run's order",
          "[plugin][abi][modes]") {
  Seen here;
  seen = &here;
  run_mode(MR_SERIAL_ORDERED, 1);
  CHECK(here.most == 1);
  REQUIRE(here.order.size() == 24);
  for (std::size_t i = 0; i < 24; ++i) CHECK(here.order[i] == std::to_string(i));
}

TEST_CASE("a stage that is serial stays so when its own plan has more workers",
          "[plugin][abi][modes]") {
  Seen here;
  seen = &here;
  run_mode(MR_SERIAL_UNORDERED, 4);
  CHECK(here.most == 1);
}

TEST_CASE("in mode per worker each worker has an instance, in mode parallel all share one",
          "[plugin][abi][modes]") {
  Seen here;
  seen = &here;
  {
    const auto stage = made(in_mode(MR_PER_WORKER));
    const auto a = stage->make_worker(Context()), b = stage->make_worker(Context());
    CHECK(here.instances == 2);
  }
  CHECK(here.ended == 2);
  mr_stage shared = in_mode(MR_PARALLEL);
  shared.worker_create = [](void* instance, void** worker) -> mr_result {
    ++static_cast<Seen*>(instance)->workers;
    *worker = instance;
    return MR_OK;
  };
  shared.worker_destroy = [](void* instance, void* worker) {
    CHECK(instance == worker);
    --static_cast<Seen*>(instance)->workers;
  };
  const auto stage = made(shared);
  auto a = stage->make_worker(Context());
  const auto b = stage->make_worker(Context());
  CHECK(here.instances == 3);
  CHECK(here.workers == 2);
  a.reset();
  CHECK(here.workers == 1);
}

TEST_CASE("whatever the mode, what create() made is destroyed once, and what it did not make never",
          "[plugin][abi][modes]") {
  for (const auto mode : {MR_PARALLEL, MR_PER_WORKER, MR_SERIAL_UNORDERED, MR_SERIAL_ORDERED}) {
    Seen here;
    seen = &here;
    run_mode(mode, 3);
    CHECK(here.instances >= 1);
    CHECK(here.instances <= (mode == MR_PER_WORKER ? 3 : 1));
    CHECK(here.ended == here.instances);
    mr_stage failing = in_mode(mode);
    failing.create = [](void*, const mr_options*, void**) -> mr_result { return MR_FATAL; };
    const auto stage = made(failing);
    CHECK_THROWS_AS(stage->make_worker(Context()), Error);
    CHECK(here.ended == here.instances);
  }
}

TEST_CASE("a serial stage has one worker in the plan, and more are refused",
          "[plugin][abi][modes]") {
  const auto result = load("version: 1\nstages:\n- from\n- tried\n- to\n", MR_SERIAL_UNORDERED);
  REQUIRE(result.plan);
  CHECK(result.plan->stages.at(1).workers == 1);
  const auto refused =
      load("version: 1\nstages:\n- from\n- tried:\n  workers: 4\n- to\n", MR_SERIAL_ORDERED);
  REQUIRE(refused.diagnostics.size() == 1);
  CHECK(refused.diagnostics[0].where == Position{5, 12});
  CHECK(refused.diagnostics[0].message ==
        "workers: '4' at 'tried', which works on one item at a time");
}

TEST_CASE("pages and what fails do not disturb the order of a serial ordered stage in the middle",
          "[plugin][abi][modes]") {
  Seen here;
  seen = &here;
  Plan plan;
  Arrivals arrivals;
  auto split = [](ItemContext& context, Payload payload, const Emit& emit) {
    const auto index = context.origin().index;
    if (index % 2 == 0) context.sleep_for(2ms);
    if (index % 5 == 4) throw Error(ErrorKind::input, "torn");
    for (std::uint32_t page = 1; page <= index % 3; ++page) emit(payload, page);
  };
  const auto splitter = add(plan, "split", split, {add_source(plan, 12, 3)}, 4);
  const auto tried = add(plan, "tried", made(in_mode(MR_SERIAL_ORDERED)), {splitter});
  add(plan, "sink", arrivals.taker(), {add(plan, "slow", dawdle, {tried}, 4)});
  plan.run.order = Order::preserve;
  run(plan);
  std::vector<std::string> expected;
  for (int item = 0; item < 12; ++item)
    for (int page = 1; item % 5 != 4 && page <= item % 3; ++page)
      expected.push_back(std::to_string(item) + " page " + std::to_string(page));
  CHECK(here.order == expected);
  CHECK(arrivals.in_order() == expected);
}
