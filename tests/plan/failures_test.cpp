// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;
using test::ids_of;
using test::inputs;
using test::plan;
using test::stage_of;

namespace {

std::string outputs(const Plan& plan, const std::string& id) {
  return ids_of(plan, stage_of(plan, id).outputs);
}

std::string failures(const Plan& plan, const std::string& id) {
  return ids_of(plan, stage_of(plan, id).failures);
}

/// Every stage behind those it reads from, and each edge told at both of its ends.
void check_edges(const Plan& plan) {
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const auto& stage = plan.stages[i];
    INFO(stage.id);
    for (const auto input : stage.inputs) {
      CHECK(input < i);
      const auto& from = plan.stages[input];
      CHECK(std::ranges::count(from.failures, i) == (stage.takes_failures ? 1 : 0));
      CHECK(std::ranges::count(from.outputs, i) == (stage.takes_failures ? 0 : 1));
    }
    for (const auto* next : {&stage.outputs, &stage.failures})
      for (const auto output : *next) CHECK(std::ranges::count(plan.stages[output].inputs, i) == 1);
  }
}

constexpr const char* chain =
    "- test_source: {path: in}\n- test_gray:\n  id: gray\n- test_write: {path: a.jpg}\n";

}  // namespace

TEST_CASE("all that fails comes to the stage that asks for it", "[plan][failed]") {
  const auto p = plan(std::string(chain) + "- test_write: {path: b}\n  from: \"*.failed\"\n");
  CHECK(inputs(p, "failed") == "test_decode gray test_encode test_write");
  CHECK(outputs(p, "failed") == "test_write-2");
  CHECK(inputs(p, "test_write-2") == "failed");
  CHECK(failures(p, "test_decode") == "failed");
  CHECK(failures(p, "test_write") == "failed");
  CHECK(outputs(p, "test_write").empty());
  CHECK(failures(p, "test_write-2").empty());
  check_edges(p);
}

TEST_CASE("inputs that failed are a stage that was put in and gives what the source gives",
          "[plan][failed]") {
  const auto p = plan(std::string(chain) + "- test_write: {path: b}\n  from: gray.failed\n");
  const auto& failed = stage_of(p, "failed");
  CHECK(failed.inserted);
  CHECK(failed.takes_failures);
  CHECK(failed.name == "failed");
  CHECK(failed.where == stage_of(p, "test_write-2").where);
  CHECK(failed.stage->gives() == PayloadKind::bytes);
  CHECK(failed.stage->load() == Load::io);
  CHECK_FALSE(failed.stage->takes().empty());
  CHECK_THROWS_AS(failed.stage->make_worker(Context()), Error);
  for (const auto& stage : p.stages) CHECK(stage.takes_failures == (stage.id == "failed"));
}

TEST_CASE("what fails at one stage includes the converters put in front of it", "[plan][failed]") {
  const auto p = plan(std::string(chain) + "- test_write: {path: b}\n  from: gray.failed\n");
  CHECK(inputs(p, "failed") == "test_decode gray");
  CHECK(failures(p, "test_source").empty());
  CHECK(failures(p, "test_encode").empty());
  check_edges(p);
}

TEST_CASE("failures may be taken of a sink", "[plan][failed]") {
  const auto p = plan(std::string(chain) + "- test_write: {path: b}\n  from: test_write.failed\n");
  CHECK(inputs(p, inputs(p, "test_write-2")) == "test_encode test_write");
  check_edges(p);
}

TEST_CASE("all who ask for the same failures share them, and what decodes them", "[plan][failed]") {
  const auto p = plan(std::string(chain) +
                      "- test_show:\n  from: \"*.failed\"\n- test_show:\n  from: \"*.failed\"\n"
                      "- test_write: {path: c}\n  from: gray.failed\n"
                      "- test_write: {path: d}\n  from: [gray.failed]\n");
  CHECK(outputs(p, "failed") == "test_decode-2");
  CHECK(outputs(p, "test_decode-2") == "test_show test_show-2");
  CHECK(outputs(p, "failed-2") == "test_write-2 test_write-3");
  check_edges(p);
}

TEST_CASE("a list of failures is one stage, to which an input comes once", "[plan][failed]") {
  const auto p = plan(
      "- test_images\n- test_gray\n- test_show\n- test_resize:\n  from: test_images\n- test_show\n"
      "- test_show:\n  from: [test_resize.failed, test_gray.failed]\n");
  CHECK(inputs(p, "test_show-3") == "failed");
  CHECK(inputs(p, "failed") == "test_gray test_resize");
  check_edges(p);
}

TEST_CASE("what is behind the failures never feeds them", "[plan][failed]") {
  const auto p = plan(std::string(chain) +
                      "- test_gray:\n  id: again\n  from: \"*.failed\"\n"
                      "- test_write: {path: b.jpg}\n"
                      "- test_write: {path: c}\n  from: again.failed\n");
  CHECK(inputs(p, "failed") == "test_decode gray test_encode test_write");
  // The converter in front of `again` is behind the failures, as `again` is.
  CHECK(inputs(p, "failed-2") == "test_decode-2 again");
  CHECK(failures(p, "test_write-2").empty());
  CHECK(failures(p, "test_write-3").empty());
  check_edges(p);
}

TEST_CASE("failures of one stage that fail again are among all failures", "[plan][failed]") {
  const auto p = plan(
      "- test_images\n- test_gray\n- test_show\n- test_resize:\n  from: test_gray.failed\n"
      "- test_show\n- test_show:\n  from: \"*.failed\"\n");
  CHECK(inputs(p, "failed") == "test_gray");
  CHECK(inputs(p, "failed-2") == "test_gray test_show failed test_resize test_show-2");
  check_edges(p);
}

TEST_CASE("a stage may be called failed", "[plan][failed]") {
  const auto p = plan(
      "- test_images\n- test_gray:\n  id: failed\n- test_show\n- test_show:\n"
      "  from: failed.failed\n- test_show:\n  from: failed\n");
  CHECK(inputs(p, "test_show-2") == "failed-2");
  CHECK(inputs(p, "failed-2") == "failed");
  CHECK(inputs(p, "test_show-3") == "failed");
  check_edges(p);
}

TEST_CASE("failures may be taken before the stages where they fail", "[plan][failed]") {
  const auto p = plan(
      "- test_show:\n  from: test_gray.failed\n- test_images\n- test_gray\n"
      "- test_show\n");
  CHECK(inputs(p, "failed") == "test_gray");
  check_edges(p);
}

TEST_CASE("sources of one kind may share their failures", "[plan][failed]") {
  const auto p = plan(
      "- test_images\n- test_show\n- test_images\n- test_show\n- test_show:\n"
      "  from: \"*.failed\"\n");
  CHECK(inputs(p, "failed") == "test_show test_show-2");
  const auto apart = plan(
      "- test_images\n- test_show\n- test_source: {path: in}\n- test_write: {path: a}\n"
      "- test_show:\n  from: test_show.failed\n");
  CHECK(stage_of(apart, "failed").stage->gives() == PayloadKind::image);
}

TEST_CASE("a source is told what those need that take what failed", "[plan][failed][demand]") {
  const auto told = [](const std::string& stages) {
    const auto p = plan(stages);
    return test::fake(stage_of(p, "test_images")).accepted.value();
  };
  const std::string gray = "- test_images\n- test_gray\n- test_show\n";
  CHECK(told(gray).gray);
  CHECK(told(gray + "- test_gray:\n  from: \"*.failed\"\n- test_show\n").gray);
  CHECK_FALSE(told(gray + "- test_show:\n  from: \"*.failed\"\n").gray);
}
