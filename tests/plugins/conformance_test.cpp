// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <string>

#include "support/catch.hpp"
#include "support/plugin_folder.hpp"
#include "support/program.hpp"

using namespace millrace;
using namespace millrace::testing;
namespace fs = std::filesystem;

namespace {

const fs::path fixtures = MILLRACE_FIXTURES;

Program::Ended check(const fs::path& library) {
  const TemporaryFolder folder;
  return Program({"plugins", "check", library.string()}, folder.path()).wait();
}

}  // namespace

TEST_CASE("a plugin that is as it should be keeps the rules", "[plugin][conformance]") {
  for (const auto& library :
       {fs::path(MILLRACE_FIXTURE), fs::path(MILLRACE_BINARY_DIR "/lib/millrace/plugins/ocr.so")}) {
    const auto ended = check(library);
    INFO(ended.out << ended.err);
    CHECK(ended.status == 0);
    CHECK_THAT(ended.out, ContainsSubstring("ok       it is opened\n") &&
                              ContainsSubstring("It keeps the rules."));
    CHECK_THAT(ended.out, !ContainsSubstring("FAILED"));
  }
}

TEST_CASE("each rule that a plugin breaks is told with what is expected", "[plugin][conformance]") {
  const auto ended = check(fixtures / "faults.so");
  INFO(ended.out << ended.err);
  CHECK(ended.status == 1);
  for (const auto* line :
       {"option_twice: its options are declared alike each time: 'size' is declared twice",
        "bad_default: its defaults are accepted: share: its default is not accepted: 2 is outside",
        "moody: what it takes and gives is clear: check() answers the same question differently",
        "paints: it gives what it promised, or an Error: it changes the pixels",
        "leaks: it leaves no thread or descriptor behind: each time that it is used leaves a desc",
        "throws_a_number: it gives what it promised, or an Error: it throws what is no std::except",
        "crashes: it gives what it promised, or an Error: the plugin crashes (Aborted)"})
    CHECK_THAT(ended.out, ContainsSubstring(std::string("FAILED   ") + line));
  CHECK_THAT(ended.out, ContainsSubstring("7 checks failed."));
}

TEST_CASE("a library that cannot be opened fails its check with the reason",
          "[plugin][conformance]") {
  const auto [name, reason] = GENERATE(
      table<std::string, std::string>({{"aborts.so", "crashes (Aborted) while it is loaded"},
                                       {"throws.so", "the licence has run out"},
                                       {"unresolved.so", "nobody_has_this"},
                                       {"absent.so", "there is no such file"}}));
  const auto ended = check(fixtures / name);
  CHECK(ended.status == 1);
  CHECK_THAT(ended.out,
             ContainsSubstring("FAILED   it can be opened: ") && ContainsSubstring(reason));
}

TEST_CASE("a stage that the manifest does not name fails the check", "[plugin][conformance]") {
  const PluginFolder folder;
  folder.copy(MILLRACE_FIXTURE);
  folder.write("fixture.manifest", "millrace " + std::string(version()) +
                                       "\nlibrary fixture.so\nstage other stage Is not there.\n");
  const auto ended = check(folder / "fixture.so");
  CHECK(ended.status == 1);
  CHECK_THAT(ended.out, ContainsSubstring("it promises the stage 'other', which is not there"));
}
