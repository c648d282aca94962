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
  // Of a machine that is busy with other things, no plugin is at fault.
  return Program({"plugins", "check", "--timeout", "9m", library.string()}, folder.path()).wait();
}

}  // namespace

TEST_CASE("a plugin that is as it should be keeps the rules", "[plugin][conformance]") {
  for (const auto& library :
       {fs::path(MILLRACE_FIXTURE), fs::path(MILLRACE_BINARY_DIR "/lib/millrace/plugins/ocr.so"),
        fixtures / "abi/frozen.so", fixtures / "abi/wrapped.so", fixtures / "abi/vignette.so"}) {
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
        "bad_list: its defaults are accepted: sizes: its default is not accepted: is a list of 2",
        "paints: it gives what it promised, or an Error: it changes the pixels",
        "leaks: it leaves no thread, descriptor or handle behind: each time that it is used leaves "
        "a d",
        "leaks_threads: it leaves no thread, descriptor or handle behind: each time that it is use",
        "throws_a_number: it gives what it promised, or an Error: it throws what is no std::except",
        "crashes: it gives what it promised, or an Error: the plugin crashes (Aborted)"})
    CHECK_THAT(ended.out, ContainsSubstring(std::string("FAILED   ") + line));
  CHECK_THAT(ended.out, ContainsSubstring("9 checks failed."));
}

TEST_CASE("a C plugin that describes itself wrongly fails its check with the reason",
          "[plugin][abi][conformance]") {
  const auto [fault, reason] = GENERATE(table<std::string, std::string>({
      {"null_process", "process is null"},
      {"short_stage", "shorter than"},
      {"short_plugin", "shorter than"},
      {"wrong_major", "version 2.0 of the plugin interface"},
      {"newer_minor", "MR_ABI_MINOR 0 or less"},
      {"two_names", "two stages named 'faulty'"},
      {"bad_schema", "'colour' is not a type"},
      {"unknown_kind", "takes is 64"},
      {"null_plugin", "millrace_plugin_v1 returned null"},
      {"refuses", "there is no such device"},
  }));
  const auto ended = check(fixtures / ("abi/faulty_" + fault + ".so"));
  CHECK(ended.status == 1);
  CHECK_THAT(ended.out,
             ContainsSubstring("FAILED   it can be opened: ") && ContainsSubstring(reason));
}

TEST_CASE("a C plugin that breaks its contract fails its check with the reason",
          "[plugin][abi][conformance]") {
  const std::string made = "two of it have workers at once, on another thread: ",
                    works = "it gives what it promised, or an Error: ";
  const auto [fault, line] = GENERATE_COPY(table<std::string, std::string>({
      {"double_release", works + "process uses a payload handle that has ended"},
      {"undeclared_option", made + "create reads the option 'levle'"},
      {"wrong_result", works + "process returned 77"},
      {"wrong_kind", works + "process emits text, but gives bytes"},
      {"null_payload", works + "process uses a payload handle that is null"},
      {"after_the_call", works + "process calls a function of the host"},
      {"one_instance", made + "the plugin crashes (Aborted)"},
      {"keeps_handles", "it leaves no thread, descriptor or handle behind: it retains handles"},
  }));
  const auto ended = check(fixtures / ("abi/faulty_" + fault + ".so"));
  INFO(ended.out << ended.err);
  CHECK(ended.status == 1);
  CHECK_THAT(ended.out, ContainsSubstring("FAILED   faulty: " + line));
}

TEST_CASE("a library that cannot be opened fails its check with the reason",
          "[plugin][conformance]") {
  const auto [name, reason] = GENERATE(
      table<std::string, std::string>({{"aborts.so", "crashes (Aborted) while it is loaded"},
                                       {"throws.so", "the licence has run out"},
                                       {"unresolved.so", "nobody_has_this"},
                                       {"absent.so", "there is no such file"},
                                       {"abi", "it is a folder; name a plugin's library"}}));
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
