// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;

namespace {

/// What the stage `id` is told that those behind it need.
Demand told_to(const std::string& id, const std::string& stages) {
  const Plan plan = test::plan(stages);
  const auto& accepted = test::fake(test::stage_of(plan, id)).accepted;
  REQUIRE(accepted);
  return *accepted;
}

constexpr const char* source = "- test_source: {path: in}\n";

}  // namespace

TEST_CASE("the size that a resize needs reaches the decoder", "[plan][demand]") {
  const auto demand = told_to("test_decode", std::string(source) +
                                                 "- test_resize: {width: 100}\n- test_gray\n"
                                                 "- test_show\n");
  REQUIRE(demand.target_size);
  CHECK(demand.target_size({1000, 500}) == cv::Size(100, 50));
  CHECK(demand.upright);
  CHECK_FALSE(demand.gray);
}

TEST_CASE("a need passes through a stage that only hands it on", "[plan][demand]") {
  const auto demand = told_to("test_decode", std::string(source) +
                                                 "- test_gray\n- test_resize: {width: 100}\n"
                                                 "- test_show\n");
  CHECK(demand.gray);
  CHECK(demand.target_size({1000, 500}) == cv::Size(100, 50));
}

TEST_CASE("an encoder is told the extension of the file", "[plan][demand]") {
  CHECK(told_to("test_encode", "- test_images\n- test_write: {path: a.webp}\n").extension ==
        "webp");
}

TEST_CASE("branches of different sizes are served by the larger of each", "[plan][demand]") {
  const auto demand = told_to("test_images",
                              "- test_images\n- test_resize: {width: 100}\n- test_show\n"
                              "- test_resize: {width: 400}\n  from: test_images\n- test_show\n");
  CHECK(demand.target_size({1000, 500}) == cv::Size(400, 200));
}

TEST_CASE("a branch that needs every pixel, or another way up, leaves no size", "[plan][demand]") {
  const std::string small = "- test_images\n- test_resize: {width: 100}\n- test_show\n";
  const auto all = told_to("test_images", small + "- test_show:\n  from: test_images\n");
  CHECK_FALSE(all.target_size);
  const auto turned = told_to(
      "test_images",
      small + "- test_resize: {width: 9, upright: false}\n  from: test_images\n- test_show\n");
  CHECK_FALSE(turned.target_size);
  CHECK_FALSE(turned.upright);
}

TEST_CASE("gray is needed only when every branch is gray", "[plan][demand]") {
  const std::string gray = "- test_images\n- test_gray\n- test_show\n";
  CHECK(told_to("test_images", gray).gray);
  CHECK(told_to("test_images", gray + "- test_gray:\n  from: test_images\n- test_show\n").gray);
  CHECK_FALSE(told_to("test_images", gray + "- test_show:\n  from: test_images\n").gray);
}

TEST_CASE("an extension counts only when all branches write it", "[plan][demand]") {
  const std::string one = "- test_source: {path: in}\n- test_write: {path: a.jpg}\n";
  CHECK(told_to("test_source", one).extension == "jpg");
  CHECK(told_to("test_source", one + "- test_write: {path: b.jpg}\n  from: test_source\n")
            .extension == "jpg");
  CHECK(told_to("test_source", one + "- test_write: {path: b.png}\n  from: test_source\n")
            .extension.empty());
}

TEST_CASE("the memory that one consumer asks for reaches the source in front of it",
          "[plan][demand]") {
  const auto demand =
      told_to("test_source", "- test_source: {path: in}\n- test_gray\n- test_show\n");
  REQUIRE(demand.memory);
  CHECK(demand.memory({}, 7) == 70);  // ten times the file, by the decoder that is put in
}

TEST_CASE("consumers that work on one item at once add their memory up", "[plan][demand]") {
  const auto demand =
      told_to("test_source",
              "- test_source: {path: in}\n- test_gray\n- test_show\n- test_decode:\n"
              "  from: test_source\n- test_resize\n- test_show\n"
              "- test_write: {path: a}\n  from: test_source\n");
  REQUIRE(demand.memory);
  CHECK(demand.memory({}, 7) == 140);  // of two decoders; what the writer takes is not known
  CHECK(demand.memory({}, std::uint64_t{1} << 60) == ~std::uint64_t{0});
  CHECK_FALSE(
      told_to("test_source", "- test_source: {path: in}\n- test_write: {path: a}\n").memory);
}
