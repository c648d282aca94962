// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <map>
#include <mutex>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"
#include "support/rounds.hpp"

using namespace millrace_test;

namespace {

constexpr unsigned graphs = rounds(2000);

enum class Habit { passes, skips_some, fails_some, throws_ints, splits, drops_some, flaky };

/// Which items a stage has tried before. [any thread, at once]
class Tried {
 public:
  bool first_time(std::size_t stage, const Origin& origin) {
    const std::lock_guard lock(mutex_);
    return tried_.emplace(stage, origin.index, origin.page.value_or(0)).second;
  }

 private:
  std::mutex mutex_;
  std::set<std::tuple<std::size_t, std::uint64_t, std::uint32_t>> tried_;
};

/// A generated pipeline, and what must come of it: worked out without threads, item by item.
class Graph {
 public:
  explicit Graph(unsigned seed) : random_(seed) {
    const std::size_t sources = pick(1, 2), inner = pick(0, 6);
    for (std::size_t i = 0; i < sources; ++i) add_source(plan, items_ = pick(0, 9), pick(1, 2));
    for (std::size_t i = 0; i < inner; ++i) add_inner();
    for (std::size_t i = 0; i < sources + inner; ++i)
      if (plan.stages[i].outputs.empty() || pick(0, 5) == 0) add_sink(i);
    if (pick(0, 2) == 0) add_aside();
    plan.run.in_flight = pick(1, 8);
    plan.run.fuse = pick(0, 1) == 0;
    plan.run.order = pick(0, 1) == 0 ? Order::preserve : Order::any;
    if (pick(0, 3) == 0) plan.run.memory = pick(1, 50);
    if (plan.run.order == Order::preserve)
      for (auto& stage : plan.stages)
        if (stage.outputs.empty()) stage.workers = 1;
  }

  Plan plan;
  Arrivals arrived;

  struct Expected {
    std::map<std::string, std::size_t> statuses;
    std::vector<std::string> arrivals;  ///< In the order of the sources, each sink's.
    std::size_t failures = 0;
    std::size_t inputs = 0;
  };
  Expected expect() const {
    Expected expected;
    // An item's number at its source, its source, its number in the run.
    std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> turns;
    for (std::size_t i = 0; i < plan.stages.size(); ++i)
      if (const auto* source = dynamic_cast<const FakeSource*>(plan.stages[i].stage.get()))
        for (std::size_t item = 0; item < source->count; ++item)
          turns.emplace_back(item, i, turns.size());
    std::ranges::sort(turns);
    for (const auto& [item, source, index] : turns) {
      unsigned seen = 0;
      const Origin origin{std::to_string(item), {}, index, {}};
      hand_on(source, origin, expected, seen);
      ++expected.statuses[seen & failed ? "failed" : seen & done ? "done" : "skipped"];
      if (aside_ && seen & failed)
        expected.arrivals.push_back(plan.stages[*aside_].id + " " + origin.label());
    }
    expected.inputs = turns.size();
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
    Habit habit = static_cast<Habit>(pick(0, 6));
    if (habit == Habit::splits && ++splitters_ > 2) habit = Habit::passes;
    habits_[index] = habit;
    auto stage = std::make_unique<FakeStage>(
        [this, index, habit](ItemContext& context, Payload payload, const Emit& emit) {
          if (habit == Habit::flaky && tried_.first_time(index, context.origin()))
            throw Error(ErrorKind::transient, "not yet");
          behave(index, habit, context, std::move(payload), emit);
        },
        pick(0, 1) ? Load::cpu : Load::io);
    add(plan, "s" + std::to_string(index), std::move(stage), inputs, pick(1, 3), pick(0, 4));
    // An item comes once for each of its ways here; so many attempts are enough for all of them.
    if (habit == Habit::flaky) plan.stages[index].retry = {2, {}, {}};
  }

  /// What fails anywhere goes to a sink of its own.
  void add_aside() {
    std::vector<std::size_t> all(plan.stages.size());
    std::iota(all.begin(), all.end(), 0);
    const auto failures = add_failed(plan, all, pick(0, 4));
    aside_ = plan.stages.size();
    add_sink(failures);
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
  std::optional<std::size_t> aside_;
  Tried tried_;
};

/// What arrived at each sink, in its order.
std::map<std::string, std::vector<std::string>> by_sink(const std::vector<std::string>& arrivals) {
  std::map<std::string, std::vector<std::string>> sinks;
  for (const auto& arrival : arrivals)
    sinks[arrival.substr(0, arrival.find(' '))].push_back(arrival);
  return sinks;
}

void check_conserved(const Report& report) {
  CHECK(report.inputs == report.done + report.skipped + report.failed + report.cancelled);
}

}  // namespace

TEST_CASE("random pipelines give every item once and count it right", "[run][random]") {
  const ThreadCount threads;
  for (unsigned seed = 1; seed <= graphs; ++seed) {
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
    if (graph.plan.run.order == Order::preserve)
      REQUIRE(by_sink(graph.arrived.in_order()) == by_sink(expected.arrivals));
    std::ranges::sort(expected.arrivals);
    REQUIRE(graph.arrived.sorted() == expected.arrivals);
  }
  CHECK(threads.as_before());
}

TEST_CASE("random pipelines that are cancelled at any moment end and lose nothing",
          "[run][random]") {
  const ThreadCount threads;
  for (unsigned seed = 10001; seed <= 10000 + graphs / 2; ++seed) {
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
