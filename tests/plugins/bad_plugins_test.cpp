// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// A plugin that is wrong harms nobody who does not use it.

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/plugin_folder.hpp"
#include "support/program.hpp"

using namespace millrace;
using namespace millrace::testing;
namespace fs = std::filesystem;

namespace {

const fs::path fixtures = MILLRACE_FIXTURES;

/// A folder of plugins and pipelines: STAGE.yaml uses the stage of that name, good.yaml none.
struct Bench {
  PluginFolder plugins;
  TemporaryFolder work;

  Bench() {
    work.file("in/a.txt", "content");
    work.file("good.yaml", pipeline(""));
    use("bad");
  }
  void use(const std::string& stage) const {
    work.file(stage + ".yaml", pipeline("  - " + stage + "\n"));
  }
  static std::string pipeline(const std::string& stage) {
    return "version: 1\nstages:\n  - files: { path: in }\n" + stage +
           "  - write: { path: \"out/{path}\", if_exists: overwrite }\n";
  }
  Program::Ended run(const std::vector<std::string>& arguments) const {
    return Program(arguments, work.path(), plugins.path().string()).wait();
  }
  /// The fixture, as the plugin that has the stage.
  void add(const std::string& name, const std::string& stage = "bad") const {
    plugins.copy(fixtures / (name + ".so"));
    plugins.manifest(name + ".so", stage);
    use(stage);
  }
  /// A fixture of the C interface; its stage is called otherwise.
  void add_c(const std::string& name) const {
    plugins.copy(fs::path(MILLRACE_ABI_FOLDER) / (name + ".so"));
    plugins.write("c.manifest", "abi 1.0\nlibrary " + name + ".so\nstage faulty stage Bad.\n");
    work.file("bad.yaml", pipeline("  - faulty\n"));
  }
};

void check_harmless(const Bench& bench) {
  CHECK(bench.run({"--help"}).status == 0);
  const auto stages = bench.run({"stages"});
  CHECK(stages.status == 0);
  CHECK_THAT(stages.out, ContainsSubstring("resize"));
  const auto checked = bench.run({"check", "good.yaml"});
  CHECK(checked.status == 0);
  CHECK(checked.out == "good.yaml: fine, 2 stages\n");
  CHECK(checked.err.empty());
  const auto ran = bench.run({"run", "good.yaml"});
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  CHECK(bench.run({"plugins"}).status == 0);
}

void check_told(const Bench& bench, const std::string& reason, const std::string& stage = "bad") {
  INFO(reason);
  const auto file = stage + ".yaml";
  for (const std::string verb : {"check", "run", "check"}) {
    const auto ended = bench.run({verb, file});
    CHECK(ended.status == 2);
    CHECK_THAT(ended.err, ContainsSubstring(reason));
  }
  const auto without = bench.run({"check", file, "--no-plugins"});
  CHECK(without.status == 2);
  CHECK_THAT(without.err, ContainsSubstring("there is no stage '" + stage + "'"));
}

}  // namespace

TEST_CASE("a plugin that cannot be opened harms only who uses it", "[plugin][bad]") {
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"aborts", "crashes (Aborted) while it is loaded"},
      {"hangs", "does not come back within 10 s while it is loaded"},
      {"exits", "ends the program (exit status 0) while it is loaded"},
      {"throws", "throws while it is loaded: the licence has run out"},
      {"moves", "changes the working folder while it is loaded"},
      {"unresolved", "nobody_has_this"},
      {"fixture",
       "does not register the stage 'bad_fixture' that its manifest promises; it has fixture"}};
  const Bench bench;
  for (const auto& [name, reason] : kinds) bench.add(name, "bad_" + name);
  check_harmless(bench);
  for (const auto& [name, reason] : kinds) check_told(bench, reason, "bad_" + name);
  check_harmless(bench);
}

TEST_CASE("what is known of a plugin's crash is listed", "[plugin][bad]") {
  const Bench bench;
  bench.add("aborts");
  CHECK_THAT(bench.run({"plugins"}).out, !ContainsSubstring("cannot be used"));
  bench.run({"check", "bad.yaml"});
  CHECK_THAT(bench.run({"plugins"}).out, ContainsSubstring("cannot be used: crashes (Aborted)"));
}

TEST_CASE("a plugin for another version harms only who uses it", "[plugin][bad]") {
  const Bench bench;
  bench.plugins.manifest("old.so", "bad", "0.0.1");
  check_harmless(bench);
  check_told(bench, "has it but is refused: built for Millrace 0.0.1, this is");
  CHECK_THAT(bench.run({"stages", "bad"}).err, ContainsSubstring("built for Millrace 0.0.1"));
  CHECK_THAT(bench.run({"plugins"}).out, ContainsSubstring("cannot be used: built for Millrace"));
  CHECK_THAT(bench.run({"stages"}).err, ContainsSubstring("1 plugin cannot be used"));
  CHECK(bench.run({"--no-plugins", "stages"}).err.empty());
}

TEST_CASE("a folder that everybody may write harms only who uses what is in it", "[plugin][bad]") {
  const Bench bench;
  bench.add("fixture");
  REQUIRE(::chmod(bench.plugins.path().c_str(), 0777) == 0);
  check_harmless(bench);
  check_told(bench, "has it but is refused: " + bench.plugins.path().string() +
                        " may be written by everybody: chmod go-w");
}

TEST_CASE("manifests that cannot be read harm nobody", "[plugin][bad]") {
  const Bench bench;
  REQUIRE(::mkfifo((bench.plugins / "pipe.manifest").c_str(), 0600) == 0);
  REQUIRE(::symlink("round.manifest", (bench.plugins / "round.manifest").c_str()) == 0);
  bench.plugins.write("torn.manifest", "millrace 0.1.0\nlibary a.so\n");
  bench.plugins.write("name.manifest", "abi 1.0\nlibrary a.so\nstage A../b stage Bad.\n");
  bench.plugins.write("red.manifest", "abi 1.0\nlibrary a.so\nstage red stage \x1b[31mBad.\n");
  check_harmless(bench);
  const auto listed = bench.run({"plugins"}).out;
  CHECK_THAT(listed, ContainsSubstring("Too many levels of symbolic links"));
  CHECK_THAT(listed, ContainsSubstring("a stage's name has at most 64 of a-z"));
  CHECK_THAT(listed, ContainsSubstring("is not a line of UTF-8 that can be shown"));
  CHECK_THAT(listed, ContainsSubstring("it is not a file"));
  CHECK_THAT(listed, ContainsSubstring("'libary' is not one of"));
}

TEST_CASE("a library that is no file harms only who uses it, and is not waited for",
          "[plugin][bad]") {
  const Bench bench;
  const std::string library = bench.plugins / "odd.so";
  bench.plugins.manifest("odd.so", "bad");
  SECTION("a pipe") {
    REQUIRE(::mkfifo(library.c_str(), 0600) == 0);
    check_told(bench, library + ": cannot be opened: it is not a file");
  }
  SECTION("a link to itself") {
    REQUIRE(::symlink("odd.so", library.c_str()) == 0);
    check_told(bench, library + ": cannot be opened: Too many levels of symbolic links");
  }
  check_harmless(bench);
}

TEST_CASE("a shadowed stage is listed with who has its name", "[plugin][bad]") {
  const Bench bench;
  bench.plugins.manifest("mine.so", "resize");
  CHECK_THAT(bench.run({"plugins"}).out, ContainsSubstring("not used: there is one built in"));
}

TEST_CASE("a decoder that cannot be opened leaves a file to the next", "[plugin][bad]") {
  const Bench bench;
  bench.plugins.copy(fixtures / "aborts.so");
  bench.plugins.write("a.manifest", "millrace " + std::string(version()) +
                                        "\nlibrary aborts.so\nstage bad decoder Reads all.\n");
  bench.work.file("p.yaml", Bench::pipeline("  - decode\n"));
  const auto ended = bench.run({"run", "p.yaml"});
  INFO(ended.out << ended.err);
  CHECK(ended.status == 1);
  CHECK_THAT(ended.err, ContainsSubstring("aborts.so: crashes (Aborted) while it is loaded"));
  CHECK_THAT(ended.out, ContainsSubstring("a.txt: decode: is not a picture that Millrace reads"));
}

TEST_CASE("what a plugin does when the program ends comes too late to change it", "[plugin][bad]") {
  const Bench bench;
  bench.add("ends");
  const auto ended = bench.run({"run", "bad.yaml"});
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, ContainsSubstring("1 file: 1 done"));
  CHECK(ended.err.empty());
}

TEST_CASE("a stage that calls exit() is told and is no success", "[plugin][bad]") {
  const Bench bench;
  bench.add_c("faulty_exits");
  const auto ended = bench.run({"run", "bad.yaml"});
  CHECK(ended.status == 4);
  CHECK_THAT(ended.err, ContainsSubstring("has ended the program by exit()"));
}

TEST_CASE("a process that a stage forks and lets come back is not a second run", "[plugin][bad]") {
  const Bench bench;
  bench.add_c("faulty_forks");
  const auto ended = bench.run({"run", "bad.yaml"});
  CHECK(ended.status == 0);
  CHECK(ended.out.find("1 file") == ended.out.rfind("1 file"));
}
