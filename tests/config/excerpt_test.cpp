// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/excerpt.hpp"

#include <chrono>

#include "support/catch.hpp"

using namespace millrace;

namespace {

std::string shown(const std::string& text, Position where, int length) {
  Diagnostic diagnostic;
  diagnostic.file = "p.yaml";
  diagnostic.where = where;
  diagnostic.length = length;
  diagnostic.message = "wrong";
  return format(diagnostic, text);
}

}  // namespace

TEST_CASE("a diagnostic shows its line with the caret below", "[config][format]") {
  CHECK(shown("a: 1\nbb: 22\n", {2, 5}, 2) == "p.yaml:2:5: error: wrong\n    bb: 22\n        ^~\n");
}

TEST_CASE("a diagnostic without a place has no line", "[config][format]") {
  CHECK(shown("a: 1\n", {}, 1) == "p.yaml: error: wrong\n");
  CHECK(shown("a: 1\n", {9, 1}, 1) == "p.yaml:9:1: error: wrong\n");
}

TEST_CASE("the caret stands under wide and combined characters", "[config][format]") {
  CHECK(shown("日本: x\n", {1, 9}, 1) == "p.yaml:1:9: error: wrong\n    日本: x\n          ^\n");
  CHECK(shown("e\u0301: x\n", {1, 6}, 1) == "p.yaml:1:6: error: wrong\n    e\u0301: x\n       ^\n");
  CHECK(shown("a: 日本\n", {1, 4}, 6) == "p.yaml:1:4: error: wrong\n    a: 日本\n       ^~~~\n");
}

TEST_CASE("what a terminal would obey is shown as an escape", "[config][format]") {
  CHECK(shown("\ta\x1b[0m\x01: \xff\n", {1, 10}, 1) ==
        "p.yaml:1:10: error: wrong\n    \\ta\\x1b[0m\\x01: \\xff\n                    ^~~~\n");
  CHECK(shown("a\u202eb: x\n", {1, 1}, 1) ==
        "p.yaml:1:1: error: wrong\n    a\\u{202e}b: x\n    ^\n");
}

TEST_CASE("a long line is cut on both sides of its mark", "[config][format]") {
  std::string line(500, 'a');
  line.append("XY").append(500, 'b');
  const auto text = shown(line, {1, 501}, 2);
  std::string start("    ...");
  start.append(50, 'a').append("XYb");
  CHECK_THAT(text, ContainsSubstring(start));
  CHECK_THAT(text, ContainsSubstring("bb...\n"));
  CHECK_THAT(text, ContainsSubstring("\n" + std::string(57, ' ') + "^~\n"));
}

TEST_CASE("of a line of many kilobytes only what is around the mark is read", "[config][format]") {
  std::string line;
  for (int i = 0; i < 20'000; ++i) line += i == 10'000 ? "XY" : "日";
  const auto text = shown(line, {1, 30'001}, 2);
  CHECK(text.size() < 1'000);
  CHECK_THAT(text, ContainsSubstring("    ...日") && ContainsSubstring("日XY日") &&
                       ContainsSubstring("日...\n") && !ContainsSubstring("\\x"));
  CHECK_THAT(text, ContainsSubstring("\n" + std::string(57, ' ') + "^~\n"));
}

TEST_CASE("a mark at or behind the end of its line is still shown", "[config][format]") {
  CHECK(shown("abc\n", {1, 4}, 1) == "p.yaml:1:4: error: wrong\n    abc\n       ^\n");
  CHECK(shown("abc\n", {1, 3}, 100) == "p.yaml:1:3: error: wrong\n    abc\n      ^\n");
  CHECK(shown("", {1, 1}, 1) == "p.yaml:1:1: error: wrong\n    \n    ^\n");
}

TEST_CASE("the fixes of one line are shown together, and those that touch are not",
          "[config][format]") {
  std::vector<Diagnostic> diagnostics(3);
  const auto wants = [&](std::size_t i, int column, int length, const char* text) {
    diagnostics[i].where = {2, column};
    diagnostics[i].fix = Fix{{2, column}, length, text};
  };
  wants(0, 5, 4, "width");
  wants(1, 15, 6, "height");
  wants(2, 5, 4, "wider");
  const auto all = format_all(diagnostics, "a: 1\n  { widt: 10, heigth: 20 }\n");
  std::vector<std::string> fixes;
  for (auto at = all.find("fix: "); at != all.npos; at = all.find("fix: ", at + 1))
    fixes.push_back(all.substr(at + 5, all.find('\n', at) - at - 5));
  CHECK(fixes == std::vector<std::string>{"{ width: 10, height: 20 }", "{ width: 10, height: 20 }",
                                          "{ wider: 10, height: 20 }"});
}

TEST_CASE("thousands of mistakes in a long file are told at once", "[config][format]") {
  std::string text;
  std::vector<Diagnostic> diagnostics;
  for (int line = 1; line <= 200'000; ++line) {
    text += "a: 1\n";
    if (line % 20 != 0) continue;
    auto& diagnostic = diagnostics.emplace_back();
    diagnostic.where = {line, 1};
    diagnostic.message = "wrong";
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto all = format_all(diagnostics, text);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(3));
  const auto last = format(diagnostics.back(), text);
  CHECK(all.ends_with(last));
  CHECK(all.starts_with(format(diagnostics.front(), text)));
}
