// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/fusion.hpp"

#include <atomic>
#include <set>
#include <thread>

#include "concurrency/cpu_slots.hpp"
#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"

using namespace millrace_test;

namespace {

using Fused = std::vector<std::optional<std::size_t>>;

struct Splitting final : FakeStage {
  Splitting() : FakeStage(pass, Load::cpu) {}
  bool splits() const override { return true; }
};

std::size_t add_cpu(Plan& plan, const std::string& id, std::size_t input,
                    FakeStage::Work work = pass) {
  return add(plan, id, std::make_unique<FakeStage>(std::move(work), Load::cpu), {input}, 2);
}

void end(ItemContext&, Payload, const Emit&) {}

}  // namespace

TEST_CASE("CPU-bound neighbours are fused, others are not", "[run][fusion]") {
  Plan plan;
  const auto source = add_source(plan, 1, 2);
  const auto a = add_cpu(plan, "a", source), b = add_cpu(plan, "b", a), c = add_cpu(plan, "c", b);
  add(plan, "sink", end, {c}, 2);
  CHECK(fused_into(plan) == Fused{{}, {}, a, b, {}});
  plan.run.fuse = false;
  CHECK(fused_into(plan) == Fused(5));
  plan.run.fuse = true;
  plan.stages[b].own_pool = true;
  CHECK(fused_into(plan) == Fused(5));
  plan.stages[b].own_pool = false;
  plan.stages[b].workers = 3;
  CHECK(fused_into(plan) == Fused(5));
}

TEST_CASE("branches, merges and what a splitter makes keep their own workers", "[run][fusion]") {
  Plan plan;
  const auto source = add_source(plan, 1, 2);
  const auto a = add_cpu(plan, "a", source);
  const auto left = add_cpu(plan, "left", a), right = add_cpu(plan, "right", a);
  const auto merge =
      add(plan, "merge", std::make_unique<FakeStage>(pass, Load::cpu), {left, right}, 2);
  const auto split = add(plan, "split", std::make_unique<Splitting>(), {merge}, 2);
  add_cpu(plan, "page", split, end);
  const auto fused = fused_into(plan);
  CHECK(fused == Fused{{}, {}, {}, {}, {}, merge, {}});
}

TEST_CASE("fused stages share a thread and one CPU slot, and count as before", "[run][fusion]") {
  for (const bool fuse : {false, true}) {
    Plan plan;
    std::atomic<std::size_t> least_free = 1000;
    auto look = [&](ItemContext&, Payload payload, const Emit& emit) {
      std::size_t now = cpu_slots().free(), before = least_free;
      while (now < before && !least_free.compare_exchange_weak(before, now)) {
      }
      emit(std::move(payload), std::nullopt);
    };
    const auto source = add_source(plan, 40, 2);
    const auto a = add_cpu(plan, "a", source, look), b = add_cpu(plan, "b", a, look);
    const auto c = add_cpu(plan, "c", b, look);
    Arrivals arrivals;
    add(plan, "sink", arrivals.taker(), {c}, 2);
    plan.run.fuse = fuse;
    const Report report = run(plan);
    CHECK(arrivals.count() == 40);
    for (const auto stage : {a, b, c}) {
      CHECK(report.stages[stage].done == 40);
      CHECK(report.stages[stage].workers == (fuse && stage != a ? 0u : 2u));
    }
    const std::size_t workers = fuse ? 2 : 6;
    CHECK(least_free + workers >= cpu_slots().count());
  }
}

TEST_CASE("a fused stage fails by its own name, and the stage in front has done its part",
          "[run][fusion]") {
  Plan plan;
  auto fail = [](ItemContext& context, Payload, const Emit&) {
    if (context.origin().index == 1) throw Error(ErrorKind::input, "torn");
  };
  const auto a = add_cpu(plan, "a", add_source(plan, 3));
  const auto b = add_cpu(plan, "b", a, fail);
  const Report report = run(plan);
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].stage == "b");
  CHECK(report.stages[a].done == 3);
  CHECK(report.stages[b].failed == 1);
  CHECK(report.done == 2);
}
