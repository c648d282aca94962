// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <thread>

#include "millrace/run.hpp"
#include "plugins/abi/c_stage.hpp"
#include "run/fakes.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

mr_result result_of_stage = MR_OK;
const char* said = nullptr;

Worked returning(mr_result result, const char* why) {
  result_of_stage = result;
  said = why;
  const auto stage = described([](void*, void*, mr_item*, mr_payload*) -> mr_result {
    if (said) host().set_error(said);
    return result_of_stage;
  });
  return worked(*made(stage), bytes_of(""));
}

}  // namespace

TEST_CASE("each result of a C stage is what the runner knows", "[plugin][abi]") {
  CHECK_FALSE(returning(MR_OK, "not asked for").error);
  CHECK(returning(MR_SKIP, "exists").skipped == "exists");
  CHECK(returning(MR_SKIP, nullptr).skipped == "the stage did not say why");
  CHECK(returning(MR_RETRYABLE, "busy").error->kind() == ErrorKind::transient);
  CHECK(returning(MR_INVALID_INPUT, "torn").error->kind() == ErrorKind::input);
  CHECK(returning(MR_CONFIG, "wrong").error->kind() == ErrorKind::config);
  CHECK(returning(MR_CANCELLED, "").error->kind() == ErrorKind::cancelled);
  CHECK(returning(MR_FATAL, "broken").error->kind() == ErrorKind::plugin);
  CHECK(returning(MR_FATAL, "broken").complaint() == "broken");
  CHECK(returning(MR_INVALID_INPUT, nullptr).complaint() ==
        "process returned MR_INVALID_INPUT and did not say why");
  CHECK(returning(77, "?").complaint() ==
        "process returned 77; there are MR_OK (0) to MR_FATAL (6)");
}

TEST_CASE("what a stage emits must be of the kind that it gives", "[plugin][abi]") {
  const auto wrong = described([](void*, void*, mr_item* item, mr_payload*) -> mr_result {
    mr_payload* text = nullptr;
    host().text_new(item, nullptr, &text);
    host().emit(item, text, 0);
    return MR_OK;
  });
  CHECK(worked(*made(wrong), bytes_of("")).complaint() == "process emits text, but gives bytes");
  mr_stage sink = described(pass_on);
  sink.gives = 0;
  CHECK(worked(*made(sink), bytes_of("")).complaint() == "process emits bytes, but gives nothing");
}

TEST_CASE("a function of the host on a thread of the plugin's own fails the item",
          "[plugin][abi]") {
  const auto stage = described([](void*, void*, mr_item* item, mr_payload*) -> mr_result {
    std::thread([item] {
      CHECK(host().cancelled(item) == 0);  // may be asked anywhere
      CHECK(host().scratch(item, 8) == nullptr);
    }).join();
    return MR_OK;
  });
  CHECK_THAT(worked(*made(stage), bytes_of("")).complaint(),
             ContainsSubstring("on another thread"));
}

TEST_CASE("an exception that a plugin lets out is caught at the border", "[plugin][abi]") {
  const auto stage = described([](void*, void*, mr_item*, mr_payload*) -> mr_result {
    throw std::runtime_error("what a mess");
  });
  CHECK(worked(*made(stage), bytes_of("")).complaint() ==
        "process lets an exception out: what a mess");
  const auto in_part = described([](void*, void*, mr_item* item, mr_payload*) -> mr_result {
    host().parallel_for(
        item, 0, 4, 1, [](void*, std::size_t, std::size_t) -> mr_result { throw 7; }, nullptr);
    return MR_OK;
  });
  CHECK_THAT(worked(*made(in_part), bytes_of("")).complaint(),
             ContainsSubstring("lets an exception out"));
}

TEST_CASE("a cancelled run is told to a C stage, and ends it even if it does not listen",
          "[plugin][abi]") {
  const Context root;
  root.cancel();
  const auto stage = described([](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
    CHECK(host().cancelled(item) != 0);
    host().emit(item, input, 0);
    return MR_OK;
  });
  ItemContext context(root, {});
  const Emit refuse = [](const Payload&, auto) { throw Error(ErrorKind::cancelled, "cancelled"); };
  const auto tried = made(stage);
  try {
    tried->make_worker(root)->work(context, bytes_of(""), refuse);
    FAIL("it was not cancelled");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::cancelled);
  }
}

TEST_CASE("a retryable result is tried again as the pipeline says", "[plugin][abi]") {
  static std::atomic<int> tries;
  tries = 0;
  const auto stage = described([](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
    if (++tries % 3 == 0) return host().emit(item, input, 0);
    host().set_error("busy");
    return MR_RETRYABLE;
  });
  Plan plan;
  Arrivals arrivals;
  const auto tried = add(plan, "tried", made(stage), {add_source(plan, 4)});
  plan.stages[tried].retry = {3, 1ms, 1ms};
  add(plan, "sink", arrivals.taker(), {tried});
  const Report report = run(plan);
  CHECK(report.done == 4);
  CHECK(arrivals.count() == 4);
  CHECK(tries == 12);
}

TEST_CASE("progress is told while a C stage works, and warnings reach the report",
          "[plugin][abi]") {
  const auto stage = described([](void*, void*, mr_item* item, mr_payload* input) -> mr_result {
    host().progress(item, 0.25);
    host().progress(item, 7);
    host().warn(item, host().item_attribute(item, "label"));
    CHECK(host().item_page(item) == 2);
    CHECK(host().item_attribute(item, "colour") == nullptr);
    return host().emit(item, input, 3);
  });
  const auto tried = made(stage);
  const auto worker = tried->make_worker(Context());
  std::vector<double> shares;
  ItemContext context({}, Origin{"a", {}, 0, 2});
  context.watch([&](double share) { shares.push_back(share); });
  std::optional<std::uint32_t> page;
  worker->work(context, bytes_of(""), [&](const Payload&, auto of) { page = of; });
  CHECK(shares == std::vector<double>{0.25, 1});
  CHECK(context.warnings() == std::vector<std::string>{"a page 2"});
  CHECK(page == 3u);
}

TEST_CASE("extensions are found by name and revision", "[plugin][abi]") {
  const auto* cpus = static_cast<const mr_extension_cpus*>(host().extension(MR_EXTENSION_CPUS, 1));
  REQUIRE(cpus != nullptr);
  CHECK(cpus->count() >= 1);
  CHECK(host().extension(MR_EXTENSION_CPUS, 2) == nullptr);
  CHECK(host().extension("millrace.unknown", 1) == nullptr);
}
