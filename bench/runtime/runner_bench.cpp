// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// What a run costs beside the work of its stages. Names are group/what/stages/workers.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "millrace/run.hpp"
#include "tests/run/fakes.hpp"

namespace millrace_bench {
namespace {

using namespace millrace;
using namespace millrace_test;
using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::duration time) {
  return std::chrono::duration<double, std::nano>(time).count();
}

void end(ItemContext&, Payload, const Emit&) {}

/// Keeps a CPU busy.
void spin(std::chrono::microseconds time) {
  const auto until = Clock::now() + time;
  while (Clock::now() < until) {
  }
}

FakeStage::Work spinning(std::chrono::microseconds time) {
  return [time](ItemContext&, Payload payload, const Emit& emit) {
    spin(time);
    emit(std::move(payload), std::nullopt);
  };
}

/// A source, so many stages between, and a sink.
Plan line(std::size_t items, std::size_t stages, std::size_t workers, const FakeStage::Work& work,
          Load load) {
  Plan plan;
  auto last = add_source(plan, items);
  for (std::size_t i = 0; i < stages; ++i)
    last = add(plan, "s" + std::to_string(i), std::make_unique<FakeStage>(work, load), {last},
               workers, 2 * workers);
  add(plan, "sink", end, {last}, 1, 8);
  return plan;
}

double run_time(const Plan& plan) {
  const auto start = Clock::now();
  if (run(plan).failed > 0) std::abort();
  return nanoseconds(Clock::now() - start);
}

/// Items of nothing through a source, three stages and a sink, one worker each.
void empty(benchmark::State& state, std::size_t items, bool fuse) {
  constexpr std::size_t stages = 5;
  std::vector<double> per_stage;
  for (auto _ : state) {
    Plan plan = line(items, stages - 2, 1, pass, fuse ? Load::cpu : Load::io);
    plan.run.fuse = fuse;
    const double time = run_time(plan);
    per_stage.push_back(time / static_cast<double>(items * stages));
    state.SetIterationTime(time / 1e9);
  }
  std::ranges::sort(per_stage);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(items));
  state.counters["stage_p50_ns"] = per_stage[per_stage.size() / 2];
  state.counters["stage_p99_ns"] = per_stage[(per_stage.size() - 1) * 99 / 100];
}

/// A CPU-bound stage of half a millisecond an item.
void scaling(benchmark::State& state, std::size_t workers) {
  for (auto _ : state) {
    const Plan plan = line(400, 1, workers, spinning(std::chrono::microseconds(500)), Load::cpu);
    state.SetIterationTime(run_time(plan) / 1e9);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 400);
}

/// The same 300 us of work for each item, in one stage or cut into six.
void six(benchmark::State& state, std::size_t stages, bool fuse) {
  const auto part = std::chrono::microseconds(300 / stages);
  for (auto _ : state) {
    Plan plan = line(600, stages, 2, spinning(part), Load::cpu);
    plan.run.fuse = fuse;
    state.SetIterationTime(run_time(plan) / 1e9);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 600);
}

template <class F, class... A>
void add_bench(const std::string& name, int iterations, F function, A... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), function, arguments...)
      ->UseManualTime()
      ->Iterations(iterations);
}

const bool registered = [] {
  add_bench("run/empty/5/1", 1, empty, std::size_t{100000}, false);
  add_bench("run/often/5/1", 100, empty, std::size_t{1000}, false);
  add_bench("run/fused/5/1", 100, empty, std::size_t{1000}, true);
  add_bench("run/scaling/1/1", 3, scaling, std::size_t{1});
  add_bench("run/scaling/1/2", 3, scaling, std::size_t{2});
  add_bench("run/whole/1/2", 3, six, std::size_t{1}, true);
  add_bench("run/apart/6/2", 3, six, std::size_t{6}, false);
  add_bench("run/joined/6/2", 3, six, std::size_t{6}, true);
  return true;
}();

}  // namespace
}  // namespace millrace_bench
