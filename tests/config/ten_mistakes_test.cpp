// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// What people write who know other tools, or have only glanced at ours. Each is told so that the
// message alone leads to the right file.

#include "millrace/pipeline.hpp"
#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;

namespace {

std::string told(const std::string& text) {
  const auto result = load_pipeline(text, "p.yaml");
  CHECK_FALSE(result.plan);
  return test::told(result, text);
}

/// Of a stage between a source and a sink.
std::string told_of(const std::string& stage) {
  return told("version: 1\nstages:\n  - files: { path: in }\n" + stage +
              "  - write: { path: \"out/{stem}.jpg\" }\n");
}

}  // namespace

TEST_CASE("1: another tool's word for a key", "[config][ten]") {
  CHECK(
      told("version: 1\nsteps:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }\n") ==
      "");
}

TEST_CASE("2: another tool's words for stages", "[config][ten]") {
  CHECK(told("version: 1\nstages:\n  - input: { path: in }\n  - output: { path: out }\n") == "");
}

TEST_CASE("3: threads for workers", "[config][ten]") {
  CHECK(told_of("  - resize: { width: 800 }\n    threads: 4\n") == "");
}

TEST_CASE("4: a percentage and pixels where a number is wanted", "[config][ten]") {
  CHECK(told("version: 1\nstages:\n  - files: { path: in }\n  - resize: { width: 800px }\n"
             "  - write: { path: \"out/{stem}.jpg\", quality: 80% }\n") == "");
}

TEST_CASE("5: yes and no", "[config][ten]") {
  CHECK(told_of("  - resize: { width: 800, only_shrink: yes }\n") == "");
}

TEST_CASE("6: numbers as programs write them", "[config][ten]") {
  CHECK(told_of("  - resize: { width: 0800 }\n    retry: 1e1\n") == "");
}

TEST_CASE("7: a time without its unit", "[config][ten]") {
  CHECK(told_of("  - resize: { width: 800 }\n    timeout: 30\n") == "");
}

TEST_CASE("8: paths that a shell or Windows knows", "[config][ten]") {
  CHECK(told("version: 1\nstages:\n  - files: { path: ~/Pictures }\n"
             "  - write: { path: 'D:\\small\\{path}' }\n") == "");
}

TEST_CASE("9: a tab, which does not hide the other mistakes", "[config][ten]") {
  CHECK(told("version: 1\nstages:\n  - files: { path: in }\n  - resize:\n\t  width: 800\n"
             "  - deskew: { max_angel: 5 }\n  - write: { path: \"out/{stem}.jpg\" }\n") == "");
}

TEST_CASE("10: an option beside its stage, and an option of another", "[config][ten]") {
  CHECK(told_of("  - resize:\n    width: 800\n  - orient: { quality: 80 }\n    max_angle: 5\n") ==
        "");
}
