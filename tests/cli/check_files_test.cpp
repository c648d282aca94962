// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>

#include "cli/diagnostics/checked.hpp"
#include "cli/diagnostics/markdown.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace millrace::cli;
using namespace millrace::testing;

namespace {

const std::string fine = "version: 1\nstages:\n  - files: { path: in }\n  - write: { path: a }\n";

std::vector<std::string> meant(const TemporaryFolder& folder, const std::string& argument) {
  std::vector<std::string> names;
  for (const auto& file : files_meant({(folder.path() / argument).string()}))
    names.push_back(std::filesystem::path(file).lexically_relative(folder.path()));
  return names;
}

}  // namespace

TEST_CASE("a folder stands for the pipelines below it, those in Markdown too", "[cli][check]") {
  const TemporaryFolder folder;
  folder.file("b.yaml", fine);
  folder.file("sub/a.yml", fine);
  folder.file("sub/compose.yaml", "services: { stages: 1 }\n");
  folder.file("notes.txt", fine);
  folder.file("README.md", "```yaml\n" + fine + "```\n");
  folder.file("sub/about.md", "no pipeline\n");
  folder.file(".hidden/c.yaml", fine);
  CHECK(meant(folder, "") == std::vector<std::string>{"README.md", "b.yaml", "sub/a.yml"});
}

TEST_CASE("a pattern that no shell has replaced is looked up", "[cli][check]") {
  const TemporaryFolder folder;
  folder.file("a.yaml", fine);
  folder.file("sub/b.yaml", fine);
  CHECK(meant(folder, "*.yaml") == std::vector<std::string>{"a.yaml"});
  CHECK(meant(folder, "**/*.yaml") == std::vector<std::string>{"a.yaml", "sub/b.yaml"});
  CHECK(meant(folder, "x*.yaml") == std::vector<std::string>{"x*.yaml"});
}

TEST_CASE("a file is checked once, however often it is named", "[cli][check]") {
  CHECK(files_meant({"a.yaml", "-", "a.yaml", "-"}) == std::vector<std::string>{"a.yaml", "-"});
}

TEST_CASE("pipelines are found in Markdown, within lists and longer fences too", "[cli][check]") {
  const auto blocks = pipelines_in_markdown(
      "```yaml\nstages: []\n```\n"
      "```yaml\nmemory: 50%\n```\n```sh\nstages:\n```\n"
      "1. so\n   ~~~~yml fails\n   stages:\n     ~~~\n   ~~~~\n"
      "```yaml ignore\nstages:\n```\n```yaml\nstages: not closed\n");
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].text == "stages: []\n");
  CHECK(blocks[0].first_line == 2);
  CHECK_FALSE(blocks[0].should_fail);
  CHECK(blocks[1].text == "stages:\n  ~~~\n");
  CHECK(blocks[1].first_line == 12);
  CHECK(blocks[1].should_fail);
}

TEST_CASE("pipelines are found in Markdown however YAML is spelt, and behind code in a line",
          "[cli][check]") {
  CHECK(pipelines_in_markdown("```YAML\nstages: 1\n```\n``` {.yaml .numberLines}\nstages: 2\n"
                              "```\n```a``` is code\n```Yml\nstages: 3\n```\n")
            .size() == 3);
}

TEST_CASE("a mistake in Markdown is told at its place there", "[cli][check]") {
  const TemporaryFolder folder;
  folder.file("a.md",
              "# A\n\n- so:\n  ```yaml\n  version: 1\n  stages:\n    - files: { path: in }\n"
              "    - wirte: { path: a }\n  ```\n");
  const auto file = check_file(folder.path() / "a.md", {});
  REQUIRE(file.diagnostics.size() == 1);
  CHECK(file.diagnostics[0].where == millrace::Position{8, 7});
  CHECK(file.diagnostics[0].fix->where == millrace::Position{8, 7});
  CHECK_THAT(format(file.diagnostics[0], file.text),
             ContainsSubstring("fix: - write: { path: a }"));
}

TEST_CASE("a block that should fail and does not is a mistake", "[cli][check]") {
  const TemporaryFolder folder;
  folder.file("a.md", "```yaml fails\n" + fine + "```\n```yaml fails\nstages: 1\n```\n");
  const auto file = check_file(folder.path() / "a.md", {});
  REQUIRE(file.diagnostics.size() == 1);
  CHECK(file.diagnostics[0].code == "fine-after-all");
  CHECK(file.diagnostics[0].where.line == 2);
}

TEST_CASE("every pipeline in our own documents and configs is fine", "[cli][check]") {
  const std::filesystem::path root = MILLRACE_SOURCE_DIR;
  const auto ended = Program({"check", "README.md", "docs/*.md", "configs"}, root).wait();
  INFO(ended.out << ended.err);
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, ContainsSubstring("README.md: fine, "));
  CHECK_THAT(ended.out, ContainsSubstring("configs/ocr.yaml: fine, "));
}
