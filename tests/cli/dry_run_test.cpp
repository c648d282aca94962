// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>

#include "support/catch.hpp"
#include "support/program.hpp"

using namespace millrace::testing;

TEST_CASE("a dry run makes no file and no folder", "[cli]") {
  const TemporaryFolder folder;
  folder.file("in/a.jpg");
  folder.file("p.yaml",
              "version: 1\nstages:\n  - files: { path: in }\n"
              "  - write: { path: \"out/deep/{path}\" }\n");
  const auto before = folder.names();
  for (const auto& arguments : {std::vector<std::string>{"run", "p.yaml", "--dry-run"},
                                std::vector<std::string>{"plan", "p.yaml"}}) {
    CHECK(Program(arguments, folder.path()).wait().status == 0);
    CHECK(folder.names() == before);
  }
}

TEST_CASE("a dry run tells what cannot be listed, and ends as the run would", "[cli]") {
  const TemporaryFolder folder;
  folder.file("in/a.jpg");
  std::filesystem::create_symlink("nowhere", folder.path() / "in/b.jpg");
  const std::string stages =
      "stages:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }\n";
  for (const auto& [run, status] : {std::pair<std::string, int>{"", 1}, {"stop", 3}}) {
    const auto setting = run.empty() ? run : "run: { on_error: " + run + " }\n";
    folder.file("p.yaml", "version: 1\n" + setting + stages);
    const auto dry = Program({"run", "p.yaml", "--dry-run"}, folder.path()).wait();
    CHECK(dry.status == status);
    CHECK_THAT(dry.out, ContainsSubstring("1 cannot be listed:") &&
                            ContainsSubstring("b.jpg: it is a symbolic link to a file"));
    CHECK(Program({"run", "p.yaml"}, folder.path()).wait().status == status);
    std::filesystem::remove_all(folder.path() / "out");
  }
}

TEST_CASE("a dry run as JSON is what plan --json says, and it has no events", "[cli]") {
  const TemporaryFolder folder;
  folder.file("in/a.jpg");
  folder.file(
      "p.yaml",
      "version: 1\nstages:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }\n");
  const auto call = [&](std::vector<std::string> arguments) {
    return Program(std::move(arguments), folder.path()).wait();
  };
  const auto dry = call({"run", "p.yaml", "--dry-run", "--json"});
  CHECK(dry.status == 0);
  CHECK_THAT(dry.out, StartsWith("{") && ContainsSubstring("\"a.jpg\""));
  CHECK(dry.out == call({"plan", "p.yaml", "--json"}).out);
  const auto events = call({"run", "p.yaml", "--dry-run", "--events", "2"});
  CHECK(events.status == 2);
  CHECK_THAT(events.err, ContainsSubstring("--dry-run has no events"));
}
