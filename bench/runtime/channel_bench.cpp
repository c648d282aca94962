// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rivals.hpp"

namespace millrace_bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// As many producers as consumers, each with its share of `items`; threads and all.
template <class Queue>
void pass(std::size_t capacity, int pairs, int items) {
  Queue queue(capacity);
  std::vector<std::jthread> threads;
  const int share = items / pairs;
  for (int i = 0; i < pairs; ++i) {
    threads.emplace_back([&queue, share] {
      for (int n = 0; n < share; ++n) queue.push(n);
    });
    threads.emplace_back([&queue, share] {
      for (int n = 0; n < share; ++n) benchmark::DoNotOptimize(queue.pop());
    });
  }
}

template <class Queue>
void throughput(benchmark::State& state, std::size_t capacity, int pairs) {
  const int items = capacity <= 8 ? 20000 : 200000;
  for (auto _ : state) {
    const auto start = Clock::now();
    pass<Queue>(capacity, pairs, items);
    state.SetIterationTime(seconds_since(start));
  }
  state.SetItemsProcessed(state.iterations() * items);
}

/// From just before a push to just after the pop of a consumer that sleeps.
template <class Queue>
void latency(benchmark::State& state, std::size_t capacity) {
  constexpr std::size_t samples = 2000;
  std::vector<double> taken;
  for (auto _ : state) {
    const auto start = Clock::now();
    Queue queue(capacity);
    std::jthread consumer([&] {
      for (std::size_t i = 0; i < samples; ++i) {
        const Value sent = queue.pop();
        taken.push_back(static_cast<double>(Clock::now().time_since_epoch().count() - sent));
      }
    });
    for (std::size_t i = 0; i < samples; ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      queue.push(Clock::now().time_since_epoch().count());
    }
    consumer.join();
    state.SetIterationTime(seconds_since(start));
  }
  std::ranges::sort(taken);
  state.counters["p50_ns"] = taken[taken.size() / 2];
  state.counters["p99_ns"] = taken[taken.size() * 99 / 100];
}

/// The call of cancel(), and until the last of those who waited has left.
void cancel_waiters(benchmark::State& state) {
  constexpr int count = 1000;
  double call = 0, all = 0;
  for (auto _ : state) {
    const millrace::Channel<Value> channel;
    const millrace::Context context;
    std::atomic<int> left = count;
    std::mutex end;  // the end of a thread is not what is measured
    std::unique_lock not_yet(end);
    std::vector<std::jthread> waiters;
    for (int i = 0; i < count; ++i)
      waiters.emplace_back([&, from = channel.receiver()] {
        (void)from.pop(context);
        if (--left == 0) left.notify_one();
        const std::lock_guard over(end);
      });
    while (channel.counts().poppers < count)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // all of them asleep
    const auto start = Clock::now();
    context.cancel();
    call = seconds_since(start);
    for (int now = left; now > 0; now = left) left.wait(now);
    all = seconds_since(start);
    state.SetIterationTime(all);
    not_yet.unlock();
  }
  state.counters["call_ns"] = call * 1e9;
  state.counters["all_ns"] = all * 1e9;
}

template <class Queue>
void add_throughput(const std::string& name, std::vector<std::size_t> capacities) {
  for (const int pairs : {1, 2, 4})
    for (const std::size_t capacity : capacities)
      benchmark::RegisterBenchmark(
          ("pass/" + name + "/" + std::to_string(pairs) + "/" + std::to_string(capacity)).c_str(),
          [=](benchmark::State& state) { throughput<Queue>(state, capacity, pairs); })
          ->Iterations(1)
          ->UseManualTime();
}

template <class Queue>
void add_latency(const std::string& name, std::size_t capacity) {
  benchmark::RegisterBenchmark(("latency/" + name + "/1/" + std::to_string(capacity)).c_str(),
                               [=](benchmark::State& state) { latency<Queue>(state, capacity); })
      ->Iterations(1)
      ->UseManualTime();
}

const bool registered = [] {
  add_throughput<Ours>("ours", {0, 1, 8, 128});
  add_throughput<Tbb>("tbb", {1, 8, 128});
  add_throughput<Ring>("ring", {1, 8, 128});
  add_latency<Ours>("ours", 0);
  add_latency<Ours>("ours", 1);
  add_latency<Tbb>("tbb", 1);
  add_latency<Ring>("ring", 1);
  benchmark::RegisterBenchmark("cancel/ours/1000/0", cancel_waiters)
      ->Iterations(1)
      ->UseManualTime();
  return true;
}();

}  // namespace
}  // namespace millrace_bench
