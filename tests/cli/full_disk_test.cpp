// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <csignal>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/program.hpp"

using namespace millrace::testing;

namespace {

/// The program with its standard output on a disk that is full.
Program::Ended on_a_full_disk(const std::vector<std::string>& arguments,
                              const TemporaryFolder& folder) {
  return Program(arguments, folder.path(), "", "/dev/full").wait();
}

}  // namespace

TEST_CASE("what cannot be said on standard output is a failure", "[cli]") {
  const TemporaryFolder folder;
  folder.file("in/a.txt", "");
  folder.file(
      "p.yaml",
      "version: 1\nstages:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }\n");
  const std::vector<std::vector<std::string>> verbs{
      {"stages"}, {"stages", "write"}, {"plan", "p.yaml"}, {"check", "p.yaml"}, {"--help"}};
  for (const auto& arguments : verbs) {
    INFO(arguments[0]);
    const auto ended = on_a_full_disk(arguments, folder);
    CHECK(ended.status == 1);
    CHECK(ended.err == "millrace: the output could not be written\n");
  }
}

TEST_CASE("a run whose summary cannot be written has done its work and fails", "[cli]") {
  const TemporaryFolder folder;
  folder.file("in/a.txt", "kept");
  folder.file(
      "p.yaml",
      "version: 1\nstages:\n  - files: { path: in }\n  - write: { path: \"out/{path}\" }\n");
  const auto ended = on_a_full_disk({"run", "p.yaml"}, folder);
  CHECK(ended.status == 1);
  CHECK_THAT(ended.err, ContainsSubstring("the output could not be written"));
  CHECK(content_of(folder / "out/a.txt") == "kept");
}
