// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <map>
#include <random>

#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace_test;

namespace {

enum class Habit { passes, skips_some, fails_some, throws_ints, splits, drops_some };

/// A generated pipeline, and what must come of it: worked out without threads, item by item.
class Graph {
 public:
  explicit Graph(unsigned seed) : random_(seed) {
    const std::size_t sources = pick(1, 2), inner = pick(0, 6);
    for (std::size_t i = 0; i < sources; ++i) add_source(plan, items_ = pick(0, 9), pick(1, 2));
    for (std::size_t i = 0; i < inner; ++i) add_inner();
    for (std::size_t i = 0; i < sources + inner; ++i)
      if (plan.stages[i].outputs.empty() || pick(0, 5) == 0) add_sink(i);
    plan.run.in_flight = pick(1, 8);
  }

  Plan plan;
  Arrivals arrived;

  struct Expected {
    std::map<std::string, std::size_t> statuses;
    std::vector<std::string> arrivals;
    std::size_t failures = 0;
    std::size_t inputs = 0;
  };
  Expected expect() const {
    Expected expected;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
      const auto* source = dynamic_cast<const FakeSource*>(plan.stages[i].stage.get());
      for (std::size_t item = 0; source && item < source->count; ++item, ++expected.inputs) {
        unsigned seen = 0;
        hand_on(i, {std::to_string(item), {}, item, {}}, expected, seen);
        ++expected.statuses[seen & 4 ? "failed" : seen & 1 ? "done" : "skipped"];
      }
    }
    std::ranges::sort(expected.arrivals);
    return expected;
  }

 private:
  static constexpr unsigned done = 1, skipped = 2, failed = 4;

  std::size_t pick(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution(low, high)(random_);
  }

  static std::uint64_t dice(std::size_t stage, const Origin& origin) {
    std::uint64_t hash = stage * 1000003 + origin.index * 7919 + origin.page.value_or(0) * 31 + 17;
    hash ^= hash >> 7;
    hash *= 0x9E3779B97F4A7C15;
    return hash >> 40;
  }

  void add_inner() {
    const std::size_t index = plan.stages.size();
    std::vector<std::size_t> inputs{pick(0, index - 1)};
    if (const auto second = pick(0, index - 1); second != inputs[0] && pick(0, 2) == 0)
      inputs.push_back(second);
    Habit habit = static_cast<Habit>(pick(0, 5));
    if (habit == Habit::splits && ++splitters_ > 2) habit = Habit::passes;
    habits_[index] = habit;
    auto stage = std::make_unique<FakeStage>(
        [index, habit](ItemContext& context, Payload payload, const Emit& emit) {
          behave(index, habit, context, std::move(payload), emit);
        },
        pick(0, 1) ? Load::cpu : Load::io);
    add(plan, "s" + std::to_string(index), std::move(stage), inputs, pick(1, 3), pick(0, 4));
  }

  void add_sink(std::size_t input) {
    const std::string name = "sink" + std::to_string(plan.stages.size());
    auto take = [this, name](ItemContext& context, Payload, const Emit&) {
      arrived.add(name + " " + context.origin().label());
    };
    add(plan, name, take, {input}, pick(1, 3), pick(0, 4));
  }

  static void behave(std::size_t index, Habit habit, ItemContext& context, Payload payload,
                     const Emit& emit) {
    const auto value = dice(index, context.origin());
    if (habit == Habit::skips_some && value % 3 == 0) return context.skip("not wanted");
    if (habit == Habit::fails_some && value % 4 == 0) throw Error(ErrorKind::input, "bad");
    if (habit == Habit::throws_ints && value % 4 == 0) throw 42;
    if (habit == Habit::drops_some && value % 3 == 0) return;
    if (habit != Habit::splits) return emit(std::move(payload), std::nullopt);
    for (std::uint32_t page = 1; page <= value % 4; ++page) emit(payload, page);
  }

  void hand_on(std::size_t from, const Origin& origin, Expected& expected, unsigned& seen) const {
    for (const auto to : plan.stages[from].outputs) simulate(to, origin, expected, seen);
  }

  void simulate(std::size_t stage, Origin origin, Expected& expected, unsigned& seen) const {
    const auto value = dice(stage, origin);
    const auto habit = habits_.find(stage);
    if (habit == habits_.end()) {
      expected.arrivals.push_back(plan.stages[stage].id + " " + origin.label());
      seen |= done;
    } else if (habit->second == Habit::skips_some && value % 3 == 0) {
      seen |= skipped;
    } else if ((habit->second == Habit::fails_some || habit->second == Habit::throws_ints) &&
               value % 4 == 0) {
      seen |= failed;
      ++expected.failures;
    } else if ((habit->second == Habit::drops_some && value % 3 == 0) ||
               (habit->second == Habit::splits && value % 4 == 0)) {
      seen |= done;
    } else if (habit->second != Habit::splits) {
      hand_on(stage, origin, expected, seen);
    } else {
      for (std::uint32_t page = 1; page <= value % 4; ++page) {
        origin.page = page;
        hand_on(stage, origin, expected, seen);
      }
    }
  }

  std::mt19937 random_;
  std::size_t items_ = 0;
  std::size_t splitters_ = 0;
  std::map<std::size_t, Habit> habits_;
};

void check_conserved(const Report& report) {
  CHECK(report.inputs == report.done + report.skipped + report.failed + report.cancelled);
}

}  // namespace

TEST_CASE("random pipelines give every item once and count it right", "[run][random]") {
  const ThreadCount threads;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Graph graph(seed);
    auto expected = graph.expect();
    const Report report = run(graph.plan);
    check_conserved(report);
    REQUIRE(report.inputs == expected.inputs);
    REQUIRE(report.done == expected.statuses["done"]);
    REQUIRE(report.skipped == expected.statuses["skipped"]);
    REQUIRE(report.failed == expected.statuses["failed"]);
    REQUIRE(report.failures.size() == expected.failures);
    REQUIRE(graph.arrived.sorted() == expected.arrivals);
  }
  CHECK(threads.as_before());
}

TEST_CASE("random pipelines that are cancelled at any moment end and lose nothing",
          "[run][random]") {
  const ThreadCount threads;
  for (unsigned seed = 1001; seed <= 1150; ++seed) {
    CAPTURE(seed);
    Graph graph(seed);
    const auto inputs = graph.expect().inputs;
    const Shutdown shutdown;
    std::jthread canceller([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(seed * 37 % 900));
      if (seed % 3 == 0) shutdown.drain();
      if (seed % 3 == 1) shutdown.cancel();
      if (seed % 3 == 2) shutdown.work().cancel();
    });
    const Report report = run(graph.plan, shutdown);
    check_conserved(report);
    REQUIRE((report.inputs == inputs || shutdown.admission().done()));
  }
  CHECK(threads.as_before());
}
