// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/preview.hpp"

#include "run/fakes.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace_test;
using millrace::testing::TemporaryFolder;

namespace {

/// Says what it is shown.
struct Forecaster final : FakeStage, OutputPlanner {
  using FakeStage::FakeStage;
  OutputForecast prepare(const std::vector<const Origin*>& items,
                         std::shared_ptr<RunOutputs>) override {
    OutputForecast forecast;
    for (const auto* item : items) forecast.files.add("out/" + item->path);
    if (!complaint.empty()) forecast.complaints.push_back(complaint);
    return forecast;
  }
  std::string complaint;
};

struct Broken final : Source {
  std::optional<PayloadKind> gives() const override { return PayloadKind::bytes; }
  void list(const Context&, const std::function<void(Origin)>&,
            const std::function<void(Origin, Error)>&) const override {
    throw Error(ErrorKind::resource, "no descriptors");
  }
  Payload open(ItemContext&) const override { return Bytes{}; }
};

std::size_t add_source(Plan& plan, std::unique_ptr<FakeSource> source) {
  return add(plan, "source", std::move(source), {});
}

Forecaster& add_sink(Plan& plan, std::vector<std::size_t> inputs, const std::string& id = "sink") {
  auto sink = std::make_unique<Forecaster>(pass);
  auto& added = *sink;
  add(plan, id, std::move(sink), std::move(inputs));
  return added;
}

}  // namespace

TEST_CASE("a preview counts inputs and outputs and keeps the names at both ends", "[run]") {
  Plan plan;
  add_sink(plan, {add_source(plan, std::make_unique<FakeSource>(100))});
  const auto shown = preview(plan, Context());
  CHECK(shown.inputs.at(0).items.count == 100);
  CHECK(shown.inputs[0].items.first == std::vector<std::string>{"0", "1", "2"});
  CHECK(shown.inputs[0].items.last == std::deque<std::string>{"98", "99"});
  CHECK(shown.outputs.at(0).stage == 1);
  CHECK(shown.outputs[0].forecast.files.count == 100);
  CHECK(shown.outputs[0].forecast.files.last.back() == "out/99");
  CHECK_FALSE(shown.error);
}

TEST_CASE("a preview adds up the sizes of files", "[run]") {
  struct Two final : Source {
    explicit Two(const TemporaryFolder& folder) : files{folder.file("a", "12345"), "gone"} {}
    std::optional<PayloadKind> gives() const override { return PayloadKind::bytes; }
    void list(const Context&, const std::function<void(Origin)>& found,
              const std::function<void(Origin, Error)>&) const override {
      for (const auto& file : files) found({file, file, 0, {}});
    }
    Payload open(ItemContext&) const override { return Bytes{}; }
    std::vector<std::string> files;
  };
  const TemporaryFolder folder;
  Plan plan;
  add(plan, "two", std::make_unique<Two>(folder), {});
  CHECK(preview(plan, Context()).inputs.at(0).bytes == 5);
}

TEST_CASE("a preview estimates the largest item and how many of it fit", "[run]") {
  Plan plan;
  plan.run.memory = 1000;
  plan.run.in_flight = 8;
  auto source = std::make_unique<FakeSource>(3);
  source->weighing = [](const Origin& origin) { return origin.path == "1" ? 300 : 100; };
  add_sink(plan, {add_source(plan, std::move(source))});
  const auto memory = preview(plan, Context()).memory;
  CHECK(memory.budget == 1000);
  CHECK(memory.window == 8);
  CHECK(memory.estimated == 3);
  CHECK(memory.largest_item == "1");
  CHECK(memory.at_once() == 3);
  CHECK(Preview::Memory{.budget = 10, .window = 8, .largest = 300, .largest_item = {}}.at_once() ==
        1);
}

TEST_CASE("a preview opens a bounded number of files for its estimate", "[run]") {
  Plan plan;
  std::size_t asked = 0;
  auto source = std::make_unique<FakeSource>(100000);
  source->weighing = [&](const Origin&) { return ++asked; };
  add_sink(plan, {add_source(plan, std::move(source))});
  CHECK(preview(plan, Context()).memory.estimated == 1024);
  CHECK(asked == 1024);
}

TEST_CASE("a preview tells all that keeps the run from starting", "[run]") {
  Plan plan;
  const auto source = add_source(plan, std::make_unique<FakeSource>(2));
  add_sink(plan, {source}).complaint = "not here";
  add(plan, "broken", std::make_unique<Broken>(), {});
  add_sink(plan, {source}, "other").complaint = "nor here";
  const auto shown = preview(plan, Context());
  REQUIRE(shown.error);
  CHECK(std::string(shown.error->what()) ==
        "broken: no descriptors\nsink: not here\nother: nor here");
  CHECK(shown.error->kind() == ErrorKind::resource);
  CHECK(shown.inputs.at(1).refused);
  CHECK(shown.inputs[0].items.count == 2);
}

TEST_CASE("a preview knows what will fail, and whether that ends the run", "[run]") {
  Plan plan;
  auto source = std::make_unique<FakeSource>(9);
  source->unlistable = [](std::size_t item) { return item < 7; };
  add_sink(plan, {add_source(plan, std::move(source))});
  auto shown = preview(plan, Context());
  CHECK(shown.failed == 7);
  CHECK(shown.inputs.at(0).failed == 7);
  CHECK(shown.inputs[0].failures.size() == 5);
  CHECK(shown.inputs[0].failures[0] == "0: cannot be listed");
  CHECK(shown.inputs[0].items.count == 2);
  CHECK_FALSE(shown.stopped_by_on_error);
  plan.run.on_error = {OnError::Action::limit, {6, false}};
  CHECK(preview(plan, Context()).stopped_by_on_error);
}

TEST_CASE("a preview ends with its context", "[run]") {
  Plan plan;
  add_sink(plan, {add_source(plan, std::make_unique<FakeSource>(2))});
  const Context context;
  context.cancel();
  CHECK_THROWS_AS(preview(plan, context), Error);
}
