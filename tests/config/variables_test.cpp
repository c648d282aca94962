// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>

#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;

namespace {

/// What `text` becomes as an option, with `vars` as the body of the vars map.
std::string replaced(const std::string& vars, const std::string& text,
                     const std::map<std::string, std::string>& sets = {}) {
  const std::string file = "version: 1\nvars: {" + vars +
                           "}\nstages:\n- test_source: {path: " + text +
                           "}\n- test_write: {path: out}\n";
  const auto result = test::load_fake(file, sets);
  INFO(test::told(result, file));
  REQUIRE(result.plan);
  return test::option_of(test::stage_of(*result.plan, "test_source"), "path");
}

}  // namespace

TEST_CASE("variables are replaced wherever a scalar names them", "[config][vars]") {
  CHECK(replaced("in: photos", "\"${in}\"") == "photos");
  CHECK(replaced("in: photos", "'a/${in}/${in}'") == "a/photos/photos");
  CHECK(replaced("a: x, b: \"${a}/y\"", "\"${b}\"") == "x/y");
}

TEST_CASE("a default serves where a variable has no value or an empty one", "[config][vars]") {
  CHECK(replaced("in: ", "\"${in:-here}\"") == "here");
  CHECK(replaced("in: ''", "\"${in:-here}\"") == "here");
  CHECK(replaced("in: there", "\"${in:-here}\"") == "there");
  CHECK(replaced("in: , root: /data", "\"${in:-${root}/raw}\"") == "/data/raw");
  CHECK(replaced("in: ", "\"${in:-}x\"") == "x");
  CHECK(replaced("in: ", "\"${in:-a:-b}\"") == "a:-b");
}

TEST_CASE("the environment is read only where it is named", "[config][vars]") {
  setenv("MILLRACE_TEST_VARIABLE", "${in}", 1);
  unsetenv("MILLRACE_TEST_UNSET");
  CHECK(replaced("in: a", "\"${env:MILLRACE_TEST_VARIABLE}\"") == "${in}");
  CHECK(replaced("in: a", "\"${env:MILLRACE_TEST_UNSET:-${in}}\"") == "a");
}

TEST_CASE("a doubled dollar and other dollars are plain text", "[config][vars]") {
  CHECK(replaced("in: a", "\"$${in}\"") == "${in}");
  CHECK(replaced("in: a", "\"$in $5 $ {in}\"") == "$in $5 $ {in}");
  CHECK(replaced("in: a", "\"{stem}-${in}\"") == "{stem}-a");
}

TEST_CASE("a set from outside overrides a variable as it is, also for those that use it",
          "[config][vars]") {
  CHECK(replaced("in: photos", "\"${in}\"", {{"in", "a: [${b}"}}) == "a: [${b}");
  CHECK(replaced("a: x, b: \"${a}/y\"", "\"${b}\"", {{"a", "z"}}) == "z/y");
  CHECK(replaced("in: ", "\"${in}\"", {{"in", "given"}}) == "given");
}

TEST_CASE("a quoted variable has its type from the option", "[config][vars]") {
  const std::string file =
      "version: 1\nvars: {w: 50%}\nstages:\n- test_images\n- test_resize: {width: \"${w}\"}\n"
      "- test_show\n";
  const auto result = test::load_fake(file);
  REQUIRE(result.plan);
  CHECK(test::option_of(test::stage_of(*result.plan, "test_resize"), "width") == "50%");
  CHECK(result.plan->vars == std::map<std::string, std::string>{{"w", "50%"}});
}

TEST_CASE("a variable that nothing uses is warned of", "[config][vars]") {
  const std::string file =
      "version: 1\nvars: {in: a, unused: b}\nstages:\n- test_source: {path: \"${in}\"}\n"
      "- test_write: {path: out}\n";
  const auto result = test::load_fake(file);
  REQUIRE(result.plan);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].severity == Diagnostic::Severity::warning);
  CHECK(test::told(result, file) ==
        "p.yaml:2:15: warning: the variable 'unused' is not used [unused-variable]\n"
        "    vars: {in: a, unused: b}\n"
        "                  ^~~~~~\n"
        "  at: vars.unused\n");
}
