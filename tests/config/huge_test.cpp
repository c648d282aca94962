// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Files that are too large to lie among the broken ones.

#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;

namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// The codes of all that is told, each once in a row, with spaces between.
std::string codes(const std::string& text) {
  std::string all, last;
  for (const auto& diagnostic : test::load_fake(text).diagnostics) {
    if (diagnostic.code == last) continue;
    last = diagnostic.code;
    all += (all.empty() ? "" : " ") + last;
  }
  return all;
}

const std::string begin = "version: 1\nstages:\n  - test_source: { path: in }\n";
const std::string end = "  - test_write: { path: \"{stem}.jpg\" }\n";

}  // namespace

TEST_CASE("a file of more than a mebibyte is refused at once", "[config][huge]") {
  CHECK(codes(begin + repeated("# nothing\n", 110000) + end) == "limit-exceeded");
}

TEST_CASE("more stages than a pipeline may have are told once", "[config][huge]") {
  CHECK(codes(begin + repeated("  - test_gray\n", 5000) + end) == "limit-exceeded");
}

TEST_CASE("nesting without end is told, however it is written", "[config][huge]") {
  CHECK(codes(begin + "  - test_resize: " + repeated("[", 100000)) == "limit-exceeded");
  CHECK(codes(begin + "  - test_resize: " + repeated("{a: ", 100000)) == "limit-exceeded");
  CHECK(codes(begin + "  - " + repeated("- ", 100000) + "a\n") == "limit-exceeded");
}

TEST_CASE("aliases that double at each step are told", "[config][huge]") {
  std::string text = "version: 1\nvars: &a0 [x, x]\nrun:\n";
  for (int i = 1; i < 40; ++i) {
    const auto above = "*a" + std::to_string(i - 1);
    text += "  k" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + above + ", " + above +
            "]\n";
  }
  CHECK(codes(text) == "limit-exceeded");
}

TEST_CASE("variables that double at each step are told", "[config][huge]") {
  std::string text = "version: 1\nvars:\n  v0: 0123456789\n";
  for (int i = 1; i < 40; ++i) {
    const auto above = "${v" + std::to_string(i - 1) + "}";
    text += "  v" + std::to_string(i) + ": \"" + above + above + "\"\n";
  }
  CHECK(codes(text + "stages:\n  - test_source: { path: \"${v39}\" }\n" + end)
            .starts_with("limit-exceeded"));
}

TEST_CASE("of thousands of broken items the first ones are told", "[config][huge]") {
  const auto text = begin + repeated("  - test_resize: { fit: @ }\n", 2000) + end;
  CHECK(test::load_fake(text).diagnostics.size() == 21);
}

TEST_CASE("thousands of mistakes are all told, each with its path", "[config][huge]") {
  const auto text = begin + repeated("  - test_resize: { widht: 3 }\n", 2000) + end;
  const auto all = test::load_fake(text).diagnostics;
  REQUIRE(all.size() == 2000);
  CHECK(all[1999].path == "stages[2000].test_resize.widht");
}
