// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/codes.hpp"

#include <filesystem>
#include <fstream>
#include <set>

#include "millrace/pipeline.hpp"
#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;

namespace {

std::set<std::string> codes_of(const LoadResult& result) {
  std::set<std::string> codes;
  for (const auto& diagnostic : result.diagnostics) codes.insert(diagnostic.code);
  return codes;
}

/// Those that end a line of an expectation, as "... [code]".
std::set<std::string> expected_codes() {
  std::set<std::string> codes;
  for (const auto& entry :
       std::filesystem::directory_iterator(MILLRACE_SOURCE_DIR "/tests/config/broken")) {
    std::ifstream lines(entry.path());
    for (std::string line; std::getline(lines, line);)
      if (const auto open = line.rfind(" ["); open != line.npos && line.ends_with(']'))
        codes.insert(line.substr(open + 2, line.size() - open - 3));
  }
  return codes;
}

}  // namespace

TEST_CASE("every code is shown by a broken file", "[config][codes]") {
  // What only `check` tells of its arguments, what depends on the machine, and what is told only
  // where nothing is broken.
  const std::set<std::string_view> elsewhere{"unreadable-file", "fine-after-all", "over-limit",
                                             "unused-variable"};
  const auto codes = expected_codes();
  for (const auto& code : code_texts()) {
    INFO(code.name);
    CHECK((elsewhere.contains(code.name) || codes.contains(std::string(code.name))));
  }
}

TEST_CASE("the wrong example of a code has that mistake alone, the right one none",
          "[config][codes]") {
  for (const auto& code : code_texts()) {
    if (code.wrong.empty()) continue;
    const auto wrong = whole_example(code.wrong), right = whole_example(code.right);
    const auto bad = load_pipeline(wrong, "wrong.yaml"), good = load_pipeline(right, "right.yaml");
    INFO(wrong << test::told(bad, wrong) << right << test::told(good, right));
    CHECK(codes_of(bad) == std::set{std::string(code.name)});
    CHECK(good.diagnostics.empty());
  }
}

TEST_CASE("a code's title is one line without a full stop, its text ends with one",
          "[config][codes]") {
  for (const auto& code : code_texts()) {
    INFO(code.name);
    CHECK(code.title.size() < 72);
    CHECK_FALSE(code.title.ends_with('.'));
    CHECK(code.text.ends_with('.'));
    CHECK(find_code(code.name) == &code);
  }
  CHECK_FALSE(find_code("unknown"));
}
