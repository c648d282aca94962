// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/console.hpp"

#include <sstream>

#include "cli/summary.hpp"
#include "stages/support/printable.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::cli;
using namespace std::chrono_literals;

TEST_CASE("text is broken between its pieces, and within one that is too long", "[cli][console]") {
  using millrace::cli::wrapped;
  CHECK(wrapped(std::vector<std::string>{"a: 1,", "bb: 22 (x y),", "c: 3"}, 2, 16) ==
        "  a: 1,\n  bb: 22 (x y),\n  c: 3\n");
  CHECK(wrapped(std::vector<std::string>{"one two three four"}, 1, 10) ==
        " one two\n three\n four\n");
  CHECK(wrapped(std::vector<std::string>{}, 2).empty());
}

TEST_CASE("a name is shown so that it cannot harm a terminal", "[cli][console]") {
  CHECK(printable("plain \xc3\xa4\xe6\x97\xa5 %s") == "plain \xc3\xa4\xe6\x97\xa5 %s");
  CHECK(printable("a\nb\tc\r") == "a\\nb\\tc\\r");
  CHECK(printable("\x1b[2J\x7f") == "\\x1b[2J\\x7f");
  CHECK(printable("a\xff\xc3") == "a\\xff\\xc3");
  CHECK(printable("\xc2\x9b") == "\\u009b");
  CHECK(printable("\xe2\x80\xae") == "\\u202e");
}

TEST_CASE("text is wrapped at spaces and long words stay whole", "[cli][console]") {
  CHECK(wrapped("one two three", 2, 9) == "  one two\n  three\n");
  CHECK(wrapped("a-very-long-word b", 1, 5) == " a-very-long-word\n b\n");
  CHECK(wrapped("\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4", 0, 5) ==
        "\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\n");
  CHECK(wrapped("", 4).empty());
}

TEST_CASE("times are told as people say them", "[cli][console]") {
  CHECK(elapsed_text(1234ms) == "1.2 s");
  CHECK(elapsed_text(12340ms) == "12 s");
  CHECK(elapsed_text(185s) == "3 min 05 s");
}

TEST_CASE("the summary names every failed item and counts the rest", "[cli][summary]") {
  Report report;
  report.inputs = 8;
  report.done = 4;
  report.skipped = 2;
  report.failed = 1;
  report.cancelled = 1;
  report.failures = {{"a\nb.jpg", "decode", ErrorKind::input, "it is empty"}};
  report.skips = {{"c.jpg", "write", ErrorKind::input, "out/c.webp exists already"}};
  report.elapsed = 1234ms;
  std::ostringstream out;
  print_summary(out, report, {.noun = "file"});
  CHECK(out.str() ==
        "failed: a\\nb.jpg: decode: it is empty\n"
        "skipped: 2 files, such as c.jpg: write: out/c.webp exists already\n"
        "8 files: 4 done, 2 skipped, 1 failed, 1 not done in 1.2 s, 4.1/s\n");
  std::ostringstream quiet;
  print_summary(quiet, report, {.noun = "file", .quiet = true});
  CHECK(quiet.str() == "failed: a\\nb.jpg: decode: it is empty\n");
}
