// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/resource.h>

#include "concurrency/effective_cpus.hpp"
#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;
using test::stage_of;

namespace {

/// The limit on open files while this lives.
class OpenFiles {
 public:
  explicit OpenFiles(rlim_t most) {
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before_) == 0);
    const struct rlimit limit { most, before_.rlim_max };
    REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  }
  ~OpenFiles() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  struct rlimit before_ {};
};

LoadResult load(const std::string& stages) {
  return test::load_fake("version: 1\nstages:\n" + stages);
}

constexpr const char* copy = "- test_source: {path: in}\n- test_write: {path: a}\n";

}  // namespace

TEST_CASE("stages that wait have no more workers than may have their files open",
          "[plan][sizing]") {
  const std::size_t usual = std::max<std::size_t>(8, 4 * effective_cpus());
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
