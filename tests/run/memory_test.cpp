// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>

#include "concurrency/most.hpp"
#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"
#include "support/rounds.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t budget = 100;

/// Items of the sizes that `weighing` says, in a run with 100 bytes; what is under way is summed.
struct Weighed {
  explicit Weighed(std::size_t items, std::function<std::uint64_t(std::size_t)> weighing) {
    auto source = std::make_unique<FakeSource>(items);
    source->weighing = [weighing](const Origin& origin) { return weighing(origin.index); };
    const auto first = add(plan, "source", std::move(source), {}, 4);
    auto work = [this, weighing](ItemContext& context, Payload, const Emit&) {
      const auto weight = weighing(context.origin().index);
      const auto now = under_way += weight;
      for (auto before = most.load(); before < now && !most.compare_exchange_weak(before, now);) {
      }
      if (weight > budget && ++inside > 1) ++shared;
      if (at_least > 0 && !eventually([this] { return most >= at_least; })) at_least = 0;
      context.sleep_for(1ms);
      if (weight > budget) --inside;
      under_way -= weight;
    };
    add(plan, "work", work, {first}, 6, 6);
    plan.run.memory = budget;
  }

  Plan plan;
  std::atomic<std::uint64_t> under_way = 0, most = 0;
  std::atomic<std::uint64_t> at_least = 0;  ///< The first ones wait for so much to be under way.
  std::atomic<int> inside = 0, shared = 0;
};

}  // namespace

TEST_CASE("items that are under way take no more memory than the run may use", "[run][memory]") {
  Weighed weighed(60, [](std::size_t i) { return 10 + 7 * (i % 9); });
  weighed.at_least = 10 + 17 + 24 + 31;
  CHECK(run(weighed.plan).done == 60);
  CHECK(weighed.most <= budget);
  CHECK(weighed.most >= 82);
}

TEST_CASE("one that needs more than there is runs alone", "[run][memory]") {
  Weighed weighed(30, [](std::size_t i) { return i % 3 == 0 ? 5000u : 30u; });
  CHECK(run(weighed.plan).done == 30);
  CHECK(weighed.most == 5000);
  CHECK(weighed.shared == 0);
}

TEST_CASE("what was estimated too low is corrected by what is really held", "[run][memory]") {
  Plan plan;
  std::atomic<int> under_way = 0, most = 0;
  const auto source = add_source(plan, 20, 4);
  auto inflate = [&](ItemContext&, Payload, const Emit& emit) {
    emit(Bytes{std::make_shared<std::vector<std::byte>>(60), "txt"}, std::nullopt);
  };
  auto slow = [&](ItemContext& context, Payload, const Emit&) {
    if (const int now = ++under_way; now > most) most = now;
    context.sleep_for(2ms);
    --under_way;
  };
  add(plan, "slow", slow, {add(plan, "inflate", inflate, {source}, 1)}, 8);
  plan.run.memory = budget;
  plan.run.in_flight = 20;
  const Report report = run(plan);
  CHECK(report.done == 20);
  // All were let in at once, since nothing was known of them; without the correction the next
  // ones, too, would never wait. The first are those that nobody could know of.
  CHECK(report.stages[1].done == 20);
}

TEST_CASE("50,000 items take no more memory or threads than a few", "[run][memory]") {
  Plan plan;
  const std::size_t items = rounds(50000);
  std::size_t most_threads = 0, first = 0, last = 0;
  std::atomic<std::size_t> seen = 0;
  auto fill = [](ItemContext&, Payload, const Emit& emit) {
    emit(Bytes{std::make_shared<std::vector<std::byte>>(20000), "txt"}, std::nullopt);
  };
  auto watch = [&](ItemContext&, Payload, const Emit&) {
    const auto count = ++seen;
    if (count % (items / 10) != 1) return;
    most_threads = std::max(most_threads, live_threads());
    (count == items / 10 + 1 ? first : last) = resident_bytes();
  };
  const auto source = add_source(plan, items, 2);
  add(plan, "watch", watch, {add(plan, "fill", fill, {source}, 2)}, 1);
  const auto before = live_threads();
  CHECK(run(plan).done == items);
  CHECK(most_threads <= before + 5);
#if !defined(__SANITIZE_ADDRESS__)  // which keeps what is freed for a while
  CHECK(last < first + (std::size_t{16} << 20));
#endif
}
