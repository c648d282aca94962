// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/effective_cpus.hpp"
#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"
#include "support/open_files.hpp"

using namespace millrace;
using test::stage_of;
using testing::OpenFiles;

namespace {

LoadResult load(const std::string& stages) {
  return test::load_fake("version: 1\nstages:\n" + stages);
}

constexpr const char* copy = "- test_source: {path: in}\n- test_write: {path: a}\n";

}  // namespace

TEST_CASE("stages that wait have no more workers than may have their files open",
          "[plan][sizing]") {
  const std::size_t usual = std::max<std::size_t>(8, 4 * effective_cpus());
  const OpenFiles many(testing::many_open_files);
  CHECK(stage_of(*load(copy).plan, "test_write").workers == usual);
  const OpenFiles few(64 + 2 * 2 * 3);
  const auto result = load(copy);
  CHECK(stage_of(*result.plan, "test_source").workers == 3);
  CHECK(stage_of(*result.plan, "test_write").workers == 3);
  CHECK(result.diagnostics.empty());
}

TEST_CASE("with hardly any files to open there is still one worker", "[plan][sizing]") {
  const OpenFiles few(40);
  const auto result = load(copy);
  CHECK(stage_of(*result.plan, "test_source").workers == 1);
}

TEST_CASE("written workers that may not have their files open are warned of", "[plan][sizing]") {
  const OpenFiles few(256);
  const auto result = load(
      "- test_source: {path: in}\n  workers: 20\n- test_write: {path: a}\n  workers: 100\n"
      "- test_gray:\n  from: test_source\n  workers: 500\n- test_show\n");
  REQUIRE(result.plan);
  CHECK(stage_of(*result.plan, "test_write").workers == 100);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].severity == Diagnostic::Severity::warning);
  CHECK(result.diagnostics[0].where == Position{6, 12});
  CHECK_THAT(result.diagnostics[0].message,
             ContainsSubstring("304 files may be open at once, and this process may open 256"));
}
