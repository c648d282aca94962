// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/effective_cpus.hpp"
#include "concurrency/effective_memory.hpp"
#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"
#include "support/open_files.hpp"

using namespace millrace;
using test::inputs;
using test::plan;
using test::stage_of;

namespace {

std::string ids(const Plan& plan) {
  std::string text;
  for (const auto& stage : plan.stages) text += (text.empty() ? "" : " ") + stage.id;
  return text;
}

}  // namespace

TEST_CASE("a chain reads each from the one before", "[plan]") {
  const auto p = plan("- test_images\n- test_resize:\n- test_gray\n- test_show\n");
  CHECK(ids(p) == "test_images test_resize test_gray test_show");
  CHECK(inputs(p, "test_images").empty());
  CHECK(inputs(p, "test_gray") == "test_resize");
  CHECK(stage_of(p, "test_show").outputs.empty());
  CHECK(stage_of(p, "test_resize").outputs == std::vector<std::size_t>{2});
  CHECK(stage_of(p, "test_gray").where == Position{5, 3});
}

TEST_CASE("converters are put in where an edge needs them", "[plan]") {
  const auto p = plan("- test_source: {path: in}\n- test_gray\n- test_write: {path: out.jpg}\n");
  CHECK(ids(p) == "test_source test_decode test_gray test_encode test_write");
  CHECK(stage_of(p, "test_decode").inserted);
  CHECK_FALSE(stage_of(p, "test_gray").inserted);
  CHECK(inputs(p, "test_write") == "test_encode");
  CHECK(stage_of(p, "test_encode").where == stage_of(p, "test_write").where);
}

TEST_CASE("bytes that reach a sink as they are need no converter", "[plan]") {
  CHECK(ids(plan("- test_source: {path: in}\n- test_write: {path: out}\n")) ==
        "test_source test_write");
  CHECK(ids(plan("- test_images\n- test_ocr\n- test_write: {path: out}\n")) ==
        "test_images test_ocr test_render test_write");
}

TEST_CASE("options that a stage does not have go to the converter put in for it", "[plan]") {
  const auto p = plan(
      "- test_source: {path: in}\n- test_resize: {width: 9, max_pixels: 7}\n"
      "- test_write: {path: a.jpg, quality: 33, format: png}\n");
  CHECK(test::option_of(stage_of(p, "test_decode"), "max_pixels") == "7");
  CHECK(test::option_of(stage_of(p, "test_encode"), "quality") == "33");
  CHECK(test::option_of(stage_of(p, "test_encode"), "format") == "png");
  CHECK(test::option_of(stage_of(p, "test_resize"), "width") == "9");
}

TEST_CASE("branches share what decodes for them, unless options were lent", "[plan]") {
  const std::string source = "- test_source: {path: in}\n- test_show\n";
  const auto shared = plan(source + "- test_show:\n  from: test_source\n");
  CHECK(ids(shared) == "test_source test_decode test_show test_show-2");
  CHECK(inputs(shared, "test_show-2") == "test_decode");
  const auto own = plan(source + "- test_show: {max_pixels: 5}\n  from: test_source\n");
  CHECK(inputs(own, "test_show") == "test_decode");
  CHECK(inputs(own, "test_show-2") == "test_decode-2");
}

TEST_CASE("each sink has its own encoder", "[plan]") {
  const auto p = plan(
      "- test_images\n- test_write: {path: a.jpg}\n- test_write: {path: b.png}\n"
      "  from: test_images\n");
  CHECK(inputs(p, "test_write") == "test_encode");
  CHECK(inputs(p, "test_write-2") == "test_encode-2");
}

TEST_CASE("a stage may read from later ones, and the plan puts it behind them", "[plan]") {
  const auto p = plan(
      "- test_show:\n  from: [late, test_gray]\n- test_images\n- test_gray\n- test_resize:\n"
      "  id: late\n");
  CHECK(ids(p) == "test_images test_gray late test_show");
  CHECK(inputs(p, "test_show") == "late test_gray");
  CHECK(stage_of(p, "test_gray").outputs == std::vector<std::size_t>{2, 3});
}

TEST_CASE("written ids come before those that are made up", "[plan]") {
  const auto p = plan("- test_images\n- test_gray\n- test_gray:\n  id: test_gray\n- test_show\n");
  CHECK(ids(p) == "test_images test_gray-2 test_gray test_show");
}

TEST_CASE("a name that several stages bear is warned of when it is read from", "[plan]") {
  const std::string file =
      "version: 1\nstages:\n- test_images\n- test_gray\n- test_gray\n- test_show\n- test_show:\n"
      "  from: test_gray\n";
  const auto result = test::load_fake(file);
  REQUIRE(result.plan);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK_THAT(result.diagnostics[0].message, ContainsSubstring("the first, in line 4"));
  CHECK(inputs(*result.plan, "test_show-2") == "test_gray");
}

TEST_CASE("workers and queues follow the load and the file", "[plan]") {
  const std::size_t cpus = effective_cpus();
  const testing::OpenFiles many(testing::many_open_files);
  const auto p = plan(
      "- test_source: {path: in}\n- test_gray:\n  workers: 3\n- test_resize:\n  workers: 2*cpu\n"
      "  queue: 0\n- test_picky:\n  workers: cpu\n- test_write: {path: a.jpg}\n");
  CHECK(stage_of(p, "test_source").workers == std::max<std::size_t>(8, 4 * cpus));
  CHECK(stage_of(p, "test_decode").workers == cpus);
  CHECK(stage_of(p, "test_gray").workers == 3);
  CHECK(stage_of(p, "test_gray").queue == 6);
  CHECK(stage_of(p, "test_resize").workers == 2 * cpus);
  CHECK(stage_of(p, "test_resize").queue == 0);
  CHECK(stage_of(p, "test_picky").workers == cpus);
  CHECK(stage_of(p, "test_write").queue == 2 * stage_of(p, "test_write").workers);
}

TEST_CASE("the run's settings have their defaults and are read", "[plan]") {
  const std::string stages = "- test_images\n- test_show:\n  on_error: stop\n";
  const auto by_default = plan(stages);
  CHECK(by_default.run.on_error.action == OnError::Action::carry_on);
  CHECK(by_default.run.shutdown_timeout == std::chrono::seconds(30));
  CHECK_FALSE(by_default.run.in_flight);
  CHECK(stage_of(by_default, "test_show").on_error->action == OnError::Action::stop);
  CHECK_FALSE(stage_of(by_default, "test_images").on_error);
  const auto set = plan(stages,
                        "name: scans\nrun: {in_flight: 5, shutdown_timeout: 2m, on_error: "
                        "{max_failures: 5%}}\n");
  CHECK(set.run.in_flight == 5u);
  CHECK(set.run.shutdown_timeout == std::chrono::minutes(2));
  CHECK(set.run.on_error.action == OnError::Action::limit);
  CHECK(set.run.on_error.max_failures == Length{5, true});
  CHECK_FALSE(plan(stages, "run: {in_flight: auto}\n").run.in_flight);
}

TEST_CASE("timeout, retry and rate stand beside a stage", "[plan]") {
  const auto p = plan(
      "- test_images:\n  retry: {attempts: 5, backoff: 500ms..1m}\n- test_gray:\n"
      "  timeout: 2m\n  retry: 3\n  rate: 90/min\n- test_show\n");
  const auto& gray = stage_of(p, "test_gray");
  CHECK(gray.timeout == std::chrono::minutes(2));
  CHECK(gray.retry.attempts == 3);
  CHECK(gray.retry.first_wait == std::chrono::seconds(1));
  CHECK(gray.retry.longest_wait == std::chrono::seconds(30));
  CHECK(gray.rate->per_second == 1.5);
  const auto& images = stage_of(p, "test_images");
  CHECK(images.retry.attempts == 5);
  CHECK(images.retry.first_wait == std::chrono::milliseconds(500));
  CHECK(images.retry.longest_wait == std::chrono::minutes(1));
  const auto& show = stage_of(p, "test_show");
  CHECK_FALSE(show.timeout);
  CHECK(show.retry.attempts == 1);
  CHECK_FALSE(show.rate);
}

TEST_CASE("a wait alone is the first; the longest is never below it", "[plan]") {
  const auto retry = [](const std::string& backoff) {
    const auto p =
        plan("- test_images:\n  retry: {attempts: 2, backoff: " + backoff + "}\n- test_show\n");
    return stage_of(p, "test_images").retry;
  };
  CHECK(retry("2s").first_wait == std::chrono::seconds(2));
  CHECK(retry("2s").longest_wait == std::chrono::seconds(30));
  CHECK(retry("1m").longest_wait == std::chrono::minutes(1));
}

TEST_CASE("a stage with workers or a queue of its own keeps them", "[plan]") {
  const auto p = plan(
      "- test_images\n- test_gray:\n  workers: 2\n- test_resize:\n  queue: 3\n- test_picky\n"
      "- test_show\n");
  CHECK(stage_of(p, "test_gray").own_pool);
  CHECK(stage_of(p, "test_resize").own_pool);
  CHECK_FALSE(stage_of(p, "test_picky").own_pool);
  CHECK_FALSE(stage_of(p, "test_images").own_pool);
}

TEST_CASE("memory is a share of what there is, or as it is written", "[plan]") {
  const std::string stages = "- test_images\n- test_show\n";
  CHECK_FALSE(plan(stages).run.memory);
  CHECK_FALSE(plan(stages, "run: {memory: auto}\n").run.memory);
  CHECK(plan(stages, "run: {memory: 16MiB}\n").run.memory == 16777216u);
  const std::uint64_t mebibytes = effective_memory() >> 20;
  CHECK(plan(stages, "run: {memory: 100%}\n").run.memory == mebibytes << 20);
  CHECK(plan(stages, "run: {memory: 25%}\n").run.memory == mebibytes / 4 << 20);
}

TEST_CASE("in the sources' order a sink has one worker, the others as many as ever", "[plan]") {
  const std::string stages =
      "- test_source: {path: in}\n- test_write: {path: a}\n- test_write: {path: b}\n"
      "  from: test_source\n  workers: 1\n";
  const auto any = plan(stages);
  CHECK(any.run.order == Order::any);
  CHECK(stage_of(any, "test_write").workers > 1);
  const auto kept = plan(stages, "run: {order: preserve}\n");
  CHECK(kept.run.order == Order::preserve);
  CHECK(stage_of(kept, "test_write").workers == 1);
  CHECK(stage_of(kept, "test_write-2").workers == 1);
  CHECK(stage_of(kept, "test_source").workers == stage_of(any, "test_source").workers);
}

TEST_CASE("an item may come to a sink twice where the path keeps the files apart", "[plan]") {
  const auto p = plan(
      "- test_source: {path: in}\n- test_resize:\n- test_write: {path: \"{path}.\"}\n"
      "  from: [test_source, test_resize]\n");
  CHECK(stage_of(p, "test_write").inputs.size() == 2);
  CHECK(plan("- test_images\n- test_images\n- test_write: {path: a.jpg}\n"
             "  from: [test_images, test_images-2]\n")
            .stages.size() == 5);
}

TEST_CASE("sinks of different sources may have one path", "[plan]") {
  const std::string chain = "- test_source: {path: in}\n- test_write: {path: \"{path}.jpg\"}\n";
  CHECK(plan(chain + chain).stages.size() == 4);
}

TEST_CASE("a pipeline is named after its file unless it says otherwise", "[plan]") {
  const std::string file = "version: 1\nstages: [test_images, test_show]\n";
  const auto result = load_pipeline(file, "dir/scans.v2.yaml", {}, test::fake_catalogue());
  REQUIRE(result.plan);
  CHECK(result.plan->name == "scans.v2");
  CHECK(result.plan->file == "dir/scans.v2.yaml");
  CHECK(plan("- test_images\n- test_show\n", "name: other\n").name == "other");
}
