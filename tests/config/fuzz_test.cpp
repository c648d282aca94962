// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <random>

#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;

namespace {

const std::vector<std::string> good{
    "version: 1\nname: scans\nvars: { in: photos, out: \"${in}/small\", w: }\n"
    "run: { in_flight: 4, on_error: { max_failures: 5% }, shutdown_timeout: 30s }\n"
    "stages:\n  - test_source: { path: \"${in}\", match: [\"**/*.png\", \"*.tif\"] }\n"
    "  - test_resize: { width: \"${w:-50%}\", fit: inside, background: \"#ffffff\" }\n"
    "    id: small\n    workers: 2*cpu\n    queue: 8\n    on_error: stop\n"
    "  - test_write: { path: \"${out}/{stem}.jpg\", quality: 80 }\n"
    "  - test_ocr:\n      languages: &langs [eng, deu]\n      patience: 2s\n    from: small\n"
    "  - test_write: { path: out.txt }\n",
    "version: 1\nstages:\n- test_images\n- test_gray:\n  id: a\n- test_show\n- test_picky:\n"
    "    low: 1e-3\n    high: .5\n  from: [a, test_images]\n- test_show: {}\n  queue: 0\n"};

const std::vector<std::string> pieces{
    ":",  ": ",   "- ",  "\n",   "\n  ", "{",   "}",     "[",  "]",        ",",         "'",
    "\"", "#",    " #",  "&a ",  "*a",   "!",   "|",     ">",  "%",        "@",         "`",
    "?",  "? ",   "\t",  "\r\n", "---",  "...", "${",    "}",  "${in}",    "${env:X:-", "\\",
    "~",  "null", "<<:", "\x01", "\xff", "é",   "from:", "id", "workers:", "-",         "0"};

/// A few random changes: removals, repetitions, exchanges, and pieces of YAML put in.
std::string mutate(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % std::max<std::size_t>(n, 1); };
  for (std::size_t left = 1 + below(4); left > 0 && !text.empty(); --left) {
    const std::size_t at = below(text.size()), size = 1 + below(below(2) == 0 ? 3 : 60);
    switch (below(4)) {
      case 0:
        text.erase(at, size);
        break;
      case 1:
        text.insert(below(text.size()), std::string(text.substr(at, size)));
        break;
      case 2:
        text[at] = text[below(text.size())];
        break;
      default:
        text.insert(at, pieces[below(pieces.size())]);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("the files that are mutated are good", "[config][fuzz]") {
  for (const auto& text : good) {
    const auto result = test::load_fake(text);
    CHECK(test::told(result, text).empty());
    CHECK(result.plan);
  }
}

TEST_CASE("a file with random changes gives a plan or a complaint", "[config][fuzz]") {
  std::mt19937 random(20240607);
  std::size_t plans = 0, refusals = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto text = mutate(good[random() % good.size()], random);
    const auto result = test::load_fake(text);
    const auto errors =
        std::ranges::count(result.diagnostics, Diagnostic::Severity::error, &Diagnostic::severity);
    ++(result.plan ? plans : refusals);
    INFO(text);
    if (result.plan.has_value() == (errors > 0)) FAIL("neither a plan nor a complaint, or both");
    for (const auto& diagnostic : result.diagnostics)
      if (format(diagnostic, text).find('\x01') != std::string::npos) FAIL("a control is shown");
  }
  CHECK(plans > 100);
  CHECK(refusals > 1000);
}
