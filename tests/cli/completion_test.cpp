// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/completion.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/shell.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace::cli;
using namespace millrace::testing;

namespace {

/// The candidates without what they mean, parted by blanks.
std::string candidates(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& line : completions(words))
    text += (text.empty() ? "" : " ") + line.substr(0, line.find('\t'));
  return text;
}

}  // namespace

TEST_CASE("a verb is completed from its first letters", "[cli][completion]") {
  CHECK(candidates({"stag"}) == "stages");
  CHECK(candidates({"--vers"}) == "--version");
  CHECK_THAT(candidates({""}), ContainsSubstring("run") && ContainsSubstring("check"));
  CHECK(candidates({"nothing"}).empty());
  CHECK(candidates({}) == candidates({""}));
}

TEST_CASE("the second word of a verb is completed, and verbs for programs are not told",
          "[cli][completion]") {
  CHECK(candidates({"plugins", "ch"}) == "check");
  CHECK_THAT(candidates({"completion", ""}), !ContainsSubstring("words"));
}

TEST_CASE("options, their choices and a stage's name are completed", "[cli][completion]") {
  CHECK(candidates({"run", "--qu"}) == "--quiet");
  CHECK(candidates({"completion", "z"}) == "zsh");
  CHECK(candidates({"stages", "resi"}) == "resize");
  CHECK(candidates({"explain", "unknown-st"}) == "unknown-stage");
  CHECK(candidates({"run", "thumb"}) == "thumbnails :files");
  CHECK_THAT(candidates({"stages", ""}), ContainsSubstring("decode"));
  CHECK(candidates({"stages", "resize", ""}).empty());
}

TEST_CASE("files are left to the shell, and the value of --set to the user", "[cli][completion]") {
  CHECK(candidates({"check", "a"}) == ":files");
  CHECK(candidates({"check", "a.yaml", ""}) == ":files");
  CHECK(candidates({"run", "--set", ""}).empty());
  CHECK_THAT(candidates({"run", "--set", "in=a", ""}), ContainsSubstring(":files"));
}

TEST_CASE("bash puts in what the program says", "[cli][completion]") {
  const TemporaryFolder folder;
  folder.file("complete.sh",
              "source <(\"$1\" completion bash)\n"
              "COMP_LINE=\"$1 $2\" COMP_POINT=${#COMP_LINE}\n_millrace\n"
              "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  folder.file("holiday photos.yaml", "");
  const auto completed = [&](const std::string& line) {
    return shell("cd '" + folder.path().string() + "' && bash complete.sh '" MILLRACE_BINARY "' '" +
                 line + "'")
        .out;
  };
  CHECK(completed("stages resi") == "resize\n");
  CHECK(completed("plugins ") == "check\n");
  CHECK(completed("check --set=a hol") == "holiday photos.yaml\n");
  CHECK(completed("check hol") == "holiday photos.yaml\n");
}

TEST_CASE("the scripts are what the other shells read", "[cli][completion]") {
  const TemporaryFolder folder;
  for (const std::string name : {"bash", "zsh", "fish"}) {
    INFO(name);
    folder.file(name, completion_script(name));
    if (shell("command -v " + name + " >/dev/null").status != 0) {
      WARN(name << " is not installed: its script is not read");
      continue;
    }
    CHECK(shell(name + " -n '" + folder / name + "' 2>&1").out.empty());
  }
  CHECK(completion_script("csh").empty());
}
