// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>

#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;
using From = VariableUse::From;

namespace {

/// The provenance of the path of a source that is written so, below three lines of variables.
Provenance of_path(const std::string& path, const std::map<std::string, std::string>& sets = {}) {
  const std::string text = R"(version: 1
vars:
  base: photos
  in: "${base}/new"
  empty: ""
  env: "${env:MILLRACE_PROVENANCE:-}"
stages:
  - test_source: { path: )" +
                           path + R"( }
  - test_write: { path: "${in}${empty}${env}/{path}" }
)";
  auto result = test::load_fake(text, sets);
  INFO(test::told(result, text));
  REQUIRE(result.plan);
  return test::stage_of(*result.plan, "test_source").options.at("path");
}

}  // namespace

TEST_CASE("a setting that the file has as it is comes from its line alone", "[plan]") {
  const auto path = of_path("photos");
  CHECK(path.where == Position{8, 20});
  CHECK(path.uses.empty());
}

TEST_CASE("a setting with a default is in no file", "[plan]") {
  const auto p = test::plan("- test_images\n- test_resize: {width: 9}\n- test_show\n");
  CHECK(test::stage_of(p, "test_resize").options.size() == 1);
  CHECK(test::stage_of(p, "test_images").options.empty());
}

TEST_CASE("a variable tells its line, and those of what it uses itself", "[plan]") {
  CHECK(of_path("\"${base}\"").uses ==
        std::vector<VariableUse>{{From::vars, "base", Position{3, 3}}});
  CHECK(of_path("\"${in}/${base}\"").uses ==
        std::vector<VariableUse>{{From::vars, "in", Position{4, 3}},
                                 {From::vars, "base", Position{3, 3}}});
}

TEST_CASE("a value set from outside is told as such, behind a variable too", "[plan]") {
  CHECK(of_path("\"${in}\"", {{"in", "x"}}).uses ==
        std::vector<VariableUse>{{From::set, "in", {}}});
  CHECK(of_path("\"${in}\"", {{"base", "x"}}).uses ==
        std::vector<VariableUse>{{From::vars, "in", Position{4, 3}}, {From::set, "base", {}}});
}

TEST_CASE("the environment is told, and what stands in for it", "[plan]") {
  REQUIRE(::setenv("MILLRACE_PROVENANCE", "there", 1) == 0);
  CHECK(of_path("\"${env:MILLRACE_PROVENANCE}\"").uses ==
        std::vector<VariableUse>{{From::environment, "MILLRACE_PROVENANCE", {}}});
  REQUIRE(::unsetenv("MILLRACE_PROVENANCE") == 0);
  CHECK(of_path("\"${env:MILLRACE_PROVENANCE:-x}\"").uses ==
        std::vector<VariableUse>{{From::fallback, "env:MILLRACE_PROVENANCE", {}}});
  CHECK(of_path("\"${empty:-${base}}\"").uses ==
        std::vector<VariableUse>{{From::fallback, "empty", {}},
                                 {From::vars, "base", Position{3, 3}}});
}

TEST_CASE("a converter has the provenance of what its writer lends it", "[plan]") {
  const auto p = test::plan("- test_images\n- test_write: { path: a.jpg, quality: \"${q}\" }\n",
                            "vars: { q: 40 }\n");
  CHECK(test::stage_of(p, "test_encode").options.at("quality").uses ==
        std::vector<VariableUse>{{From::vars, "q", Position{2, 9}}});
  CHECK_FALSE(test::stage_of(p, "test_write").options.contains("quality"));
}

TEST_CASE("keys beside a stage and those of the run have provenance", "[plan]") {
  const auto p = test::plan("- test_images:\n  workers: \"${n}\"\n- test_show\n",
                            "vars: { n: 2 }\nrun: { in_flight: \"${n}\" }\n");
  const std::vector<VariableUse> n{{From::vars, "n", Position{2, 9}}};
  CHECK(test::stage_of(p, "test_images").engine_keys.at("workers").uses == n);
  CHECK(p.run_keys.at("in_flight").uses == n);
}
