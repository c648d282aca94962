// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// A plugin that is wrong harms nobody who does not use it.

#include <sys/stat.h>

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

/// A folder of plugins and two pipelines: one that uses the stage `bad`, one that does not.
struct Bench {
  PluginFolder plugins;
  TemporaryFolder work;

  Bench() {
    work.file("in/a.txt", "content");
    work.file("good.yaml", pipeline(""));
    work.file("bad.yaml", pipeline("  - bad\n"));
  }
  static std::string pipeline(const std::string& stage) {
    return "version: 1\nstages:\n  - files: { path: in }\n" + stage +
           "  - write: { path: \"out/{path}\", if_exists: overwrite }\n";
  }
  Program::Ended run(const std::vector<std::string>& arguments) const {
    return Program(arguments, work.path(), plugins.path().string()).wait();
  }
  /// The fixture, as the plugin that has the stage `bad`.
  void add(const std::string& name) const {
    plugins.copy(fixtures / (name + ".so"));
    plugins.manifest(name + ".so", "bad");
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

void check_told(const Bench& bench, const std::string& reason) {
  INFO(reason);
  for (const std::string verb : {"check", "run", "check"}) {
    const auto ended = bench.run({verb, "bad.yaml"});
    CHECK(ended.status == 2);
    CHECK_THAT(ended.err, ContainsSubstring(reason));
  }
  const auto without = bench.run({"check", "bad.yaml", "--no-plugins"});
  CHECK(without.status == 2);
  CHECK_THAT(without.err, ContainsSubstring("there is no stage 'bad'"));
}

}  // namespace

TEST_CASE("a plugin that cannot be opened harms only who uses it", "[plugin][bad]") {
  const auto [name, reason] = GENERATE(table<std::string, std::string>(
      {{"aborts", "crashes (Aborted) while it is loaded"},
       {"hangs", "does not come back within 10 s while it is loaded"},
       {"exits", "ends the program (exit status 0) while it is loaded"},
       {"throws", "throws while it is loaded: the licence has run out"},
       {"unresolved", "nobody_has_this"},
       {"fixture",
        "does not register the stage 'bad' that its manifest promises; it has fixture"}}));
  const Bench bench;
  bench.add(name);
  check_harmless(bench);
  check_told(bench, reason);
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
  bench.plugins.write("torn.manifest", "millrace 0.1.0\nlibary a.so\n");
  check_harmless(bench);
  const auto listed = bench.run({"plugins"}).out;
  CHECK_THAT(listed, ContainsSubstring("it is not a file"));
  CHECK_THAT(listed, ContainsSubstring("'libary' is not one of"));
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
