// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <pthread.h>

#include <atomic>
#include <thread>

#include "concurrency/effective_cpus.hpp"
#include "concurrency/most.hpp"
#include "concurrency/unstartable.hpp"
#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

struct Stateful final : Transform<Bytes, Bytes, std::thread::id> {
  std::unique_ptr<std::thread::id> start(const Context&) const override {
    ++made;
    return std::make_unique<std::thread::id>(std::this_thread::get_id());
  }
  Bytes run(ItemContext& context, Bytes in, std::thread::id& owner) const override {
    if (owner != std::this_thread::get_id()) ++strangers;
    context.sleep_for(200us);
    return in;
  }
  mutable std::atomic<int> made = 0, strangers = 0;
};

}  // namespace

TEST_CASE("a worker makes its state once, on its thread, for itself", "[run][workers]") {
  Plan plan;
  auto owned = std::make_unique<Stateful>();
  const auto& stage = *owned;
  const auto source = add_source(plan, 60, 2);
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {},
      {add(plan, "ocr", std::move(owned), {source}, 3)});
  CHECK(run(plan).done == 60);
  CHECK(stage.made >= 1);
  CHECK(stage.made <= 3);
  CHECK(stage.strangers == 0);
}

TEST_CASE("a worker that never has an item makes no state", "[run][workers]") {
  Plan plan;
  auto owned = std::make_unique<Stateful>();
  const auto& stage = *owned;
  const auto source = add_source(plan, 1);
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {},
      {add(plan, "ocr", std::move(owned), {source}, 8)});
  run(plan);
  CHECK(stage.made == 1);
}

TEST_CASE("a stage that cannot start ends the run with its name, and nothing hangs",
          "[run][workers]") {
  const ThreadCount threads;
  Plan plan;
  auto stage = std::make_unique<FakeStage>(pass);
  stage->starting = [](const Context&) { throw Error(ErrorKind::config, "no language 'xyz'"); };
  const auto source = add_source(plan, 500, 4);
  const auto ocr = add(plan, "ocr", std::move(stage), {add(plan, "middle", pass, {source})}, 4, 0);
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {ocr});
  try {
    run(plan);
    FAIL("it ran");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::config);
    CHECK(std::string(error.what()) == "ocr: no language 'xyz'");
  }
  CHECK(threads.as_before());
}

TEST_CASE("threads that cannot start end the run", "[run][workers]") {
  Plan plan;
  const auto source = add_source(plan, 10);
  add(plan, "sink", pass, {add(plan, "first", pass, {source})}, 3);
  const Unstartable unstartable;
  CHECK_THROWS_WITH(run(plan), ContainsSubstring("sink: cannot start thread 1"));
}

TEST_CASE("a worker's thread has its stage's name", "[run][workers]") {
  Plan plan;
  std::string name;
  auto work = [&](ItemContext&, Payload, const Emit&) {
    char buffer[16] = "";
    pthread_getname_np(pthread_self(), buffer, sizeof buffer);
    name = buffer;
  };
  add(plan, "recognise-the-text", work, {add_source(plan, 1)});
  run(plan);
  CHECK(name == "recognise-the-t");
}

TEST_CASE("no more items are under way than the window has places", "[run][workers]") {
  for (const std::size_t window : {1, 3}) {
    Plan plan;
    Most most;
    auto fake = std::make_unique<FakeSource>(40);
    fake->opening = [&](ItemContext&) { most.come(); };
    const auto source = add(plan, "source", std::move(fake), {}, 4);
    const auto middle = add(plan, "middle", pass, {source}, 4, 4);
    auto slow = [&](ItemContext& context, Payload, const Emit&) {
      context.sleep_for(100us);
      most.leave();
    };
    add(plan, "sink", slow, {middle}, 1, 4);
    plan.run.in_flight = window;
    CHECK(run(plan).done == 40);
    CHECK(most.reached() <= static_cast<int>(window));
    CHECK(most.reached() >= 1);
  }
}

TEST_CASE("a window of 0 still lets one item through at a time", "[run][workers]") {
  Plan plan;
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {add_source(plan, 3)});
  plan.run.in_flight = 0;
  CHECK(run(plan).done == 3);
}

TEST_CASE("a slow sink holds the stages above it back", "[run][workers]") {
  Plan plan;
  Most most;
  auto fake = std::make_unique<FakeSource>(60);
  fake->opening = [&](ItemContext&) { most.come(); };
  const auto source = add(plan, "source", std::move(fake), {});
  const auto middle = add(plan, "middle", pass, {source}, 1, 1);
  auto slow = [&](ItemContext& context, Payload, const Emit&) {
    context.sleep_for(100us);
    most.leave();
  };
  add(plan, "sink", slow, {middle}, 1, 1);
  plan.run.in_flight = 60;
  CHECK(run(plan).done == 60);
  CHECK(most.reached() <= 5);  // one at each of three workers, one in each of two channels
}

TEST_CASE("CPU stages together use no more than the CPUs there are", "[run][workers]") {
  Plan plan;
  Most most;
  auto work = [&](ItemContext& context, Payload payload, const Emit& emit) {
    most.come();
    context.sleep_for(100us);
    most.leave();
    emit(std::move(payload), std::nullopt);
  };
  auto last = add_source(plan, 60, 2);
  for (const auto* id : {"a", "b", "c"})
    last = add(plan, id, std::make_unique<FakeStage>(work, Load::cpu), {last}, 4);
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {last});
  CHECK(run(plan).done == 60);
  CHECK(most.reached() <= static_cast<int>(effective_cpus()));
}

TEST_CASE("a CPU stage that waits for room keeps no CPU from the stage below", "[run][workers]") {
  Plan plan;
  const auto source = add_source(plan, 40, 4);
  auto burst = [](ItemContext&, Payload payload, const Emit& emit) {
    for (std::uint32_t page = 1; page <= 5; ++page) emit(payload, page);
  };
  // As many blocked workers as there are CPUs, above one that needs a CPU to free them.
  const auto many = add(plan, "many", std::make_unique<FakeStage>(burst, Load::cpu), {source},
                        effective_cpus() + 2, 0);
  const auto one = add(plan, "one", std::make_unique<FakeStage>(pass, Load::cpu), {many}, 1, 0);
  add(
      plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {one}, 1, 0);
  const Report report = run(plan);
  CHECK(report.done == 40);
  CHECK(report.stages[one].done == 200);
}
