// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Whatever a stage does at its seams to the engine, the run ends, and every input is accounted for.

#include <atomic>
#include <new>

#include "millrace/run.hpp"
#include "run/fakes.hpp"
#include "support/catch.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

/// AddressSanitizer ends the program instead of throwing.
void allocate_too_much() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  throw std::bad_alloc();
#else
  volatile std::size_t bytes = std::size_t{1} << 62;  // the compiler is not to know
  const std::vector<std::byte> memory(bytes);
  CHECK(memory.empty());
#endif
}

using Setting = std::function<void(Plan&)>;

/// The same pipeline in the ways in which a plan can be run: the seams differ.
std::vector<std::pair<std::string, Setting>> settings() {
  return {
      {"plain", [](Plan& plan) { plan.run.fuse = false; }},
      {"fused", [](Plan&) {}},
      {"in order", [](Plan& plan) { plan.run.order = Order::preserve; }},
      {"one at a time", [](Plan& plan) { plan.run.in_flight = 1; }},
      {"little memory", [](Plan& plan) { plan.run.memory = 1; }},
  };
}

/// Ten items through `work` between two stages that pass, into a sink, in each setting.
void in_each_setting(const FakeStage::Work& work,
                     const std::function<void(const Report&, const Arrivals&)>& check) {
  for (const auto& [name, set] : settings()) {
    INFO(name);
    Plan plan;
    Arrivals arrivals;
    std::size_t last = add_source(plan, 10, 2);
    const auto add_cpu = [&](const char* id, FakeStage::Work what) {
      last = add(plan, id, std::make_unique<FakeStage>(std::move(what), Load::cpu), {last}, 2, 1);
    };
    add_cpu("before", pass);
    add_cpu("bad", work);
    add_cpu("after", pass);
    add(plan, "sink", arrivals.taker(), {last});
    set(plan);
    const Report report = run(plan);
    CHECK(report.inputs == report.done + report.skipped + report.failed + report.cancelled);
    check(report, arrivals);
  }
}

}  // namespace

TEST_CASE("a stage that throws anything fails its items alone", "[run][faults]") {
  struct Odd {};
  auto work = [](ItemContext& context, Payload payload, const Emit& emit) {
    switch (context.origin().index) {
      case 0:
        throw Odd();
      case 1:
        throw "text";
      case 2:
        throw std::bad_alloc();
      case 3:
        throw Error(ErrorKind::cancelled, "not true");
      case 4:
        throw std::make_unique<int>(1);
      default:
        emit(std::move(payload), std::nullopt);
    }
  };
  in_each_setting(work, [](const Report& report, const Arrivals& arrivals) {
    CHECK(report.failed == 5);
    CHECK(report.failures.size() == 5);
    CHECK(arrivals.count() == 5);
  });
}

TEST_CASE("a stage that allocates more than there is fails its item", "[run][faults]") {
  auto work = [](ItemContext& context, Payload payload, const Emit& emit) {
    if (context.origin().index == 3) allocate_too_much();
    emit(std::move(payload), std::nullopt);
  };
  in_each_setting(work, [](const Report& report, const Arrivals&) {
    CHECK(report.failed == 1);
    CHECK(report.done == 9);
    CHECK(report.failures.at(0).item == "3");
    CHECK(report.failures.at(0).message == "out of memory");
  });
}

TEST_CASE("a stage that emits nothing ends its items there", "[run][faults]") {
  auto work = [](ItemContext&, Payload, const Emit&) {};
  in_each_setting(work, [](const Report& report, const Arrivals& arrivals) {
    CHECK(report.done == 10);
    CHECK(arrivals.count() == 0);
  });
}

TEST_CASE("a stage that emits a thousand is slowed down, and all arrive", "[run][faults]") {
  auto work = [](ItemContext&, Payload payload, const Emit& emit) {
    for (std::uint32_t page = 1; page <= 1000; ++page) emit(payload, page);
  };
  in_each_setting(work, [](const Report& report, const Arrivals& arrivals) {
    CHECK(report.done == 10);
    CHECK(arrivals.count() == 10000);
  });
}

TEST_CASE("a stage that fails in the middle of what it emits fails, and the rest arrived",
          "[run][faults]") {
  auto work = [](ItemContext&, Payload payload, const Emit& emit) {
    emit(payload, 1u);
    emit(payload, 2u);
    throw Error(ErrorKind::input, "torn after page 2");
  };
  in_each_setting(work, [](const Report& report, const Arrivals& arrivals) {
    CHECK(report.failed == 10);
    CHECK(arrivals.count() == 20);
  });
}

TEST_CASE("a stage that blocks until it is cancelled does not outlive a cancelled run",
          "[run][faults]") {
  for (const auto& [name, set] : settings()) {
    INFO(name);
    const Shutdown shutdown;
    Plan plan;
    auto block = [&](ItemContext& context, Payload, const Emit&) {
      shutdown.cancel();
      while (!context.done()) context.sleep_for(1h);
    };
    const auto source = add_source(plan, 10, 2);
    const auto first =
        add(plan, "first", std::make_unique<FakeStage>(pass, Load::cpu), {source}, 2, 1);
    add(plan, "block", std::make_unique<FakeStage>(block, Load::cpu), {first}, 2, 1);
    set(plan);
    const Report report = run(plan, shutdown);
    CHECK(report.cancelled + report.done == 10);
    CHECK(report.failed == 0);
  }
}

TEST_CASE("a failure while draining does not keep the others from ending", "[run][faults]") {
  const Shutdown shutdown;
  Plan plan;
  std::atomic<int> begun = 0, ended = 0;
  auto work = [&](ItemContext& context, Payload payload, const Emit& emit) {
    const bool is_first = begun++ == 0;
    if (is_first) shutdown.drain();
    while (!shutdown.admission().done()) context.sleep_for(1ms);
    if (is_first) throw Error(ErrorKind::resource, "disk full");
    ++ended;
    emit(std::move(payload), std::nullopt);
  };
  const auto middle = add(plan, "work", work, {add_source(plan, 50, 2)}, 3, 2);
  add(plan, "sink", [](ItemContext&, Payload, const Emit&) {}, {middle});
  const Report report = run(plan, shutdown);
  CHECK(report.failed == 1);
  CHECK(report.done == static_cast<std::size_t>(ended));
  CHECK(report.inputs == report.done + report.failed + report.cancelled);
}
