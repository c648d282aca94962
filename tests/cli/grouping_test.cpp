// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/grouping.hpp"

#include <sstream>

#include "cli/summary.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::cli;
using namespace std::chrono_literals;

namespace {

Failure failure(const std::string& item, const std::string& message,
                const std::string& stage = "decode") {
  return {item, stage, ErrorKind::input, message};
}

std::string told(const std::vector<Failure>& failures, const Telling& telling = {"file"}) {
  std::ostringstream out;
  print_groups(out, "failed", failures, telling);
  return out.str();
}

}  // namespace

TEST_CASE("failures for one reason are one group, and each is named", "[cli][summary]") {
  CHECK(told({failure("a.jpg", "it is empty"), failure("b.jpg", "no picture"),
              failure("c.jpg", "it is empty"), failure("d.jpg", "it is empty", "write")}) ==
        "failed: 2 files: decode: it is empty\n"
        "  a.jpg\n"
        "  c.jpg\n"
        "failed: b.jpg: decode: no picture\n"
        "failed: d.jpg: write: it is empty\n");
}

TEST_CASE("numbers, paths, quoted words and the item's name do not part a group",
          "[cli][summary]") {
  CHECK(told({failure("a.jpg", "a.jpg has 10 bytes at 0.5; out/a.jpg: 'x y' isn't"),
              failure("b.jpg", "b.jpg has 7 bytes at 12; out/b.jpg: 'z' isn't")}) ==
        "failed: 2 files: decode: \u2026 has \u2026 bytes at \u2026; \u2026: \u2026 isn't\n"
        "  a.jpg: a.jpg has 10 bytes at 0.5; out/a.jpg: 'x y' isn't\n"
        "  b.jpg: b.jpg has 7 bytes at 12; out/b.jpg: 'z' isn't\n");
  CHECK(grouped({failure("a", "ends early"), failure("b", "begins late")}).size() == 2);
  CHECK(grouped({}).empty());
}

TEST_CASE("a large group is cut only where it was told before", "[cli][summary]") {
  std::vector<Failure> many;
  for (int i = 1; i <= 12; ++i) many.push_back(failure("x.tif page " + std::to_string(i), "torn"));
  const auto all = told(many);
  CHECK_THAT(all, ContainsSubstring("failed: 12 pages: decode: torn\n"));
  CHECK_THAT(all, ContainsSubstring("  x.tif page 12\n"));
  const auto cut = told(many, {.names = 10});
  CHECK_THAT(cut, ContainsSubstring("  x.tif page 10\n  and 2 more, told above\n"));
  CHECK_THAT(cut, !ContainsSubstring("page 11"));
}

TEST_CASE("a long run ends with its slowest items, and a table where it is asked for",
          "[cli][summary]") {
  Report report;
  report.inputs = report.done = 40;
  report.elapsed = 10s;
  report.slowest = {{"a\nb.tif", Ending::done, 9s, "ocr", 8s}, {"c.tif", Ending::done, 2s, "", {}}};
  report.stages.resize(2);
  report.stages[0].id = "ocr";
  report.stages[0].workers = 2;
  report.stages[0].busy = 15s;
  report.stages[0].waiting_input = 5s;
  report.stages[1].id = "render";
  report.stages[1].shares = 0;
  report.stages[1].busy = 1s;
  std::ostringstream out;
  print_summary(out, report, {.noun = "file", .table = true});
  CHECK(out.str() ==
        "  stage       done    failed      busy  no input   no room    no CPU   pausing\n"
        "  ocr            0         0       75%       25%        0%        0%        0%\n"
        "  render         0         0        5%\n"
        "slowest: a\\nb.tif: 9.0 s, of which 8.0 s in ocr\n"
        "slowest: c.tif: 2.0 s\n"
        "40 files: 40 done in 10 s, 4.0/s\n");
  report.elapsed = 2s;
  std::ostringstream brief;
  print_summary(brief, report, {.noun = "file"});
  CHECK(brief.str() == "40 files: 40 done in 2.0 s, 20/s\n");
}
