// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/diagnostics/formats.hpp"
#include "config/codes.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace;
using namespace millrace::cli;
using millrace::testing::TemporaryFolder;
using nlohmann::json;

namespace {

const std::string broken =
    "version: 1\nstages:\n  - files: { path: \"größe\", mach: a }\n  - write: { path: out, x%: 1 "
    "}\n";

/// `name` may have any bytes.
std::vector<CheckedFile> checked(const std::string& text, const std::string& name = "p.yaml") {
  CheckedFile file;
  file.name = name;
  file.text = text;
  file.pipelines = 1;
  file.diagnostics = load_pipeline(text, name).diagnostics;
  return {file};
}

/// SARIF 2.1.0, section 3.30: what a region of one line must hold.
void check_region(const json& region) {
  CHECK(region.at("startLine").get<int>() >= 1);
  CHECK(region.at("startColumn").get<int>() >= 1);
  CHECK(region.at("endLine") == region.at("startLine"));
  CHECK(region.at("endColumn") >= region.at("startColumn"));
}

}  // namespace

TEST_CASE("json tells each diagnostic with its place and its change", "[cli][check]") {
  const auto told = json::parse(json_of(checked(broken)));
  CHECK(told["files"][0]["errors"] == 2);
  const auto& first = told["diagnostics"][0];
  CHECK(first["code"] == "unknown-option");
  CHECK(first["severity"] == "error");
  CHECK(first["line"] == 3);
  CHECK(first["path"] == "stages[0].files.mach");
  CHECK(first["fix"]["text"] == "match");
  CHECK(first["fix"]["length"] == 4);
}

TEST_CASE("json and SARIF are valid whatever bytes a file's name has", "[cli][check]") {
  const auto files = checked(broken, "a\xff\"\n\x01.yaml");
  CHECK(json::accept(json_of(files)));
  const auto log = json::parse(sarif_of(files));
  const auto& location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  CHECK(location["artifactLocation"]["uri"] == "a%FF%22%0A%01.yaml");
}

TEST_CASE("SARIF has a rule for each code and a result for each diagnostic", "[cli][check]") {
  const auto log = json::parse(sarif_of(checked(broken)));
  CHECK(log["version"] == "2.1.0");
  const auto& run = log["runs"][0];
  const auto& rules = run["tool"]["driver"]["rules"];
  CHECK(rules.size() == code_texts().size());
  REQUIRE(run["results"].size() == 2);
  for (const auto& result : run["results"]) {
    CHECK(rules[result["ruleIndex"].get<std::size_t>()]["id"] == result["ruleId"]);
    CHECK(result["level"] == "error");
    CHECK_FALSE(result["message"]["text"].get<std::string>().empty());
    check_region(result["locations"][0]["physicalLocation"]["region"]);
  }
  const auto& change = run["results"][0]["fixes"][0]["artifactChanges"][0];
  CHECK(change["replacements"][0]["insertedContent"]["text"] == "match");
  check_region(change["replacements"][0]["deletedRegion"]);
}

TEST_CASE("columns for programs are counted in characters", "[cli][check]") {
  const auto log = json::parse(sarif_of(checked(broken)));
  const auto& region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  CHECK(region["startColumn"] == 29);  // behind two letters of two bytes
  CHECK(region["endColumn"] == 33);
}

TEST_CASE("a workflow command escapes what would end it", "[cli][check]") {
  const auto text = github_of(checked(broken, "a,b:c.yaml"));
  CHECK(
      text.starts_with("::error file=a%2Cb%3Ac.yaml,line=3,col=29,endColumn=33,"
                       "title=unknown-option::unknown option 'mach' of 'files'%0Ahint: "));
  CHECK_THAT(text, ContainsSubstring("unknown option 'x%25' of 'write'"));
  CHECK(std::ranges::count(text, '\n') == 2);
}

TEST_CASE("colours are for terminals, unless the environment asks for them", "[cli][check]") {
  ::setenv("CLICOLOR_FORCE", "1", 1);
  CHECK(wants_colour(-1));
  ::setenv("NO_COLOR", "1", 1);
  CHECK_FALSE(wants_colour(-1));
  ::unsetenv("NO_COLOR");
  ::setenv("CLICOLOR_FORCE", "0", 1);
  CHECK_FALSE(wants_colour(-1));
  ::unsetenv("CLICOLOR_FORCE");
  CHECK_FALSE(wants_colour(-1));
}

TEST_CASE("colours add nothing but escapes", "[cli][check]") {
  const auto diagnostic = checked(broken)[0].diagnostics[0];
  auto coloured = format(diagnostic, broken, true);
  CHECK(coloured.starts_with("\x1b[1mp.yaml:3:31:\x1b[0m \x1b[1;31merror:\x1b[0m "));
  for (const std::string escape : {"\x1b[0m", "\x1b[1m", "\x1b[1;31m", "\x1b[32m"})
    for (auto at = coloured.find(escape); at != coloured.npos; at = coloured.find(escape))
      coloured.erase(at, escape.size());
  CHECK(coloured == format(diagnostic, broken));
}
