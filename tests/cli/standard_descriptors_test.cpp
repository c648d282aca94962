// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>
#include <string>

#include "support/catch.hpp"
#include "support/program.hpp"

using namespace millrace::testing;

namespace {

/// The exit status of a shell's line, in which $millrace is the program.
int in_a_shell(const TemporaryFolder& folder, const std::string& line) {
  const auto whole =
      "cd '" + folder.path().string() + "' && millrace='" MILLRACE_BINARY "'; " + line;
  const int status = std::system(whole.c_str());  // NOLINT(cert-env33-c): a shell closes them
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("what is said on a closed descriptor lands in no file of the run", "[cli]") {
  const TemporaryFolder folder;
  folder.file("in/a.txt", "kept");
  folder.file("p.yaml",
              "version: 1\nstages:\n  - files: { path: in }\n"
              "  - write: { path: \"out/{path}\" }\n");
  CHECK(in_a_shell(folder, "\"$millrace\" run p.yaml --events events <&- >&- 2>&-") == 1);
  const auto events = content_of(folder / "events");
  CHECK_THAT(events, ContainsSubstring("\"run_ended\""));
  CHECK_THAT(events, !ContainsSubstring("1 file: 1 done"));
  CHECK(content_of(folder / "out/a.txt") == "kept");
}

TEST_CASE("a reader that has what it wanted is no reason for a message", "[cli]") {
  const TemporaryFolder folder;
  const std::string line = "{ sleep 0.3; \"$millrace\" stages --json 2> said; } | true; ";
  CHECK(in_a_shell(folder, line + "test -f said && test ! -s said") == 0);
}

TEST_CASE("a TMPDIR that is no folder is named", "[cli][test]") {
  const TemporaryFolder folder;
  folder.file("in/a.txt", "a");
  folder.file("p.yaml",
              "version: 1\nstages:\n  - files: { path: in }\n"
              "  - write: { path: \"out/{path}\" }\n"
              "tests:\n  - { name: n, input: in/a.txt, expect: { count: 1 } }\n");
  CHECK(in_a_shell(folder, "TMPDIR=/dev/null \"$millrace\" test p.yaml > told 2>&1") == 1);
  CHECK_THAT(content_of(folder / "told"),
             ContainsSubstring("TMPDIR names no folder") && !ContainsSubstring("internal error"));
}
