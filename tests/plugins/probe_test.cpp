// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/probe.hpp"

#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "plugin/place.hpp"
#include "plugin/trial.hpp"
#include "plugin/trial_memory.hpp"
#include "support/catch.hpp"
#include "support/plugin_folder.hpp"
#include "support/program.hpp"

using namespace millrace;
using namespace millrace::testing;
namespace fs = std::filesystem;

namespace {

const fs::path fixtures = MILLRACE_FIXTURES;

std::string reason_of(const fs::path& library) { return why_not_to_open(library).value_or(""); }

/// Where outcomes are remembered while this lives; of the fixtures that say so, how often one was
/// loaded.
class Memory {
 public:
  Memory() {
    setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
    setenv("FIXTURE_LOADS", (folder_ / "loads").c_str(), 1);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    unsetenv("XDG_CACHE_HOME");
    unsetenv("FIXTURE_LOADS");
  }
  fs::path folder() const { return folder_.path() / "millrace/plugins"; }
  std::size_t loads() const {
    std::error_code none;
    const auto size = fs::file_size(folder_ / "loads", none);
    return none ? 0 : size;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a library that would end the program is told instead of opened", "[plugin][probe]") {
  const Memory memory;
  CHECK_THAT(reason_of(fixtures / "aborts.so"),
             ContainsSubstring("crashes (Aborted) while it is loaded") &&
                 ContainsSubstring("'millrace plugins check "));
  CHECK_THAT(reason_of(fixtures / "exits.so"),
             ContainsSubstring("ends the program (exit status 0) while it is loaded"));
  CHECK_THAT(reason_of(fixtures / "throws.so"),
             ContainsSubstring("throws while it is loaded: the licence has run out"));
  CHECK_THAT(reason_of(fixtures / "unresolved.so"), ContainsSubstring("nobody_has_this"));
  CHECK(reason_of(fixtures / "fixture.so").empty());
  for (const auto* name : {"aborts.so", "exits.so", "throws.so", "unresolved.so"})
    CHECK_FALSE(is_open(fixtures / name));
}

TEST_CASE("a library that never comes back is given up, with what it has started",
          "[plugin][probe]") {
  const auto trial = run_probe({"open", fixtures / "hangs.so"}, true, std::chrono::seconds(1),
                               [](std::string_view) {});
  CHECK_FALSE(trial.in_time);
  CHECK(trial.how(std::chrono::seconds(1)) == "does not come back within 1 s");
}

TEST_CASE("where the trial itself cannot start, no library is held for bad", "[plugin][probe]") {
  const Memory memory;
  const TemporaryFolder broken;
  for (const auto& file : fs::directory_iterator(own_library().parent_path()))
    if (file.path().filename().string().starts_with("libmillrace.so"))
      broken.file(file.path().filename().string(), "an update that is half done");
  setenv("LD_LIBRARY_PATH", broken.path().c_str(), 1);
  const auto reason = try_to_open(fixtures / "fixture.so");
  unsetenv("LD_LIBRARY_PATH");
  REQUIRE(reason);
  CHECK(*reason == "it cannot be tried: millrace_probe ends the program (exit status 127)");
  CHECK_FALSE(fs::exists(memory.folder()));
  CHECK_FALSE(try_to_open(fixtures / "fixture.so"));
}

TEST_CASE("a bad library is opened once until it changes", "[plugin][probe]") {
  const Memory memory;
  const PluginFolder folder;
  folder.copy(fixtures / "aborts.so");
  const auto library = folder.path() / "aborts.so";
  const auto reason = reason_of(library);
  CHECK(reason_of(library) == reason);
  CHECK(memory.loads() == 1);
  fs::last_write_time(library, fs::last_write_time(library) + std::chrono::seconds(1));
  CHECK(reason_of(library) == reason);
  CHECK(memory.loads() == 2);
  CHECK(reason.starts_with(try_to_open(library).value_or("it was opened")));
  CHECK(memory.loads() == 3);
}

TEST_CASE("what one program found out of a library the next one believes", "[plugin][probe]") {
  const Memory memory;
  const PluginFolder plugins;
  const TemporaryFolder work;
  plugins.copy(fixtures / "aborts.so");
  plugins.manifest("aborts.so", "bad");
  for (int time = 0; time < 2; ++time) {
    const auto ended = Program({"stages", "bad"}, work.path(), plugins.path().string()).wait();
    CHECK(ended.status == 2);
    CHECK_THAT(ended.err, ContainsSubstring("crashes (Aborted) while it is loaded"));
    CHECK(memory.loads() == 1);
  }
}

TEST_CASE("a library is another when it is replaced, and when Millrace is", "[plugin][probe]") {
  const TemporaryFolder folder;
  const auto library = folder.file("a.so", "one"), other = folder.file("b.so", "two");
  const auto time = fs::last_write_time(library);
  const auto identity = identity_of(library);
  CHECK_THAT(identity, ContainsSubstring(own_library().string()));
  fs::rename(other, library);
  fs::last_write_time(library, time);
  CHECK(identity_of(library) != identity);
  CHECK(identity_of(folder / "absent.so").empty());
}

TEST_CASE("a signal from outside is not held against a library", "[plugin][probe]") {
  CHECK_FALSE(Trial{true, SIGKILL}.by_its_own_fault());
  CHECK_FALSE(Trial{true, SIGTERM}.by_its_own_fault());
  CHECK(Trial{true, SIGABRT}.by_its_own_fault());
  CHECK(Trial{true, 3 << 8}.by_its_own_fault());
  CHECK(Trial{false, 0}.by_its_own_fault());
}

TEST_CASE("what may lie elsewhere is not held against a library", "[plugin][probe]") {
  const Memory memory;
  CHECK_FALSE(reason_of(fixtures / "unresolved.so").empty());
  CHECK(remembered_trial(identity_of(fixtures / "unresolved.so")) == std::nullopt);
}

TEST_CASE("a memory that another may write is not believed", "[plugin][probe]") {
  const Memory memory;
  const auto identity = identity_of(fixtures / "fixture.so");
  remember_trial(identity, "crashed");
  REQUIRE(remembered_trial(identity) == "crashed");
  const auto file = fs::directory_iterator(memory.folder())->path();
  REQUIRE(::chmod(file.c_str(), 0666) == 0);
  CHECK(remembered_trial(identity) == std::nullopt);
  REQUIRE(::chmod(file.c_str(), 0644) == 0);
  REQUIRE(::chmod(memory.folder().c_str(), 0777) == 0);
  CHECK(remembered_trial(identity) == std::nullopt);
}

TEST_CASE("a memory that is cut off or of another library means nothing", "[plugin][probe]") {
  const Memory memory;
  const auto identity = identity_of(fixtures / "fixture.so");
  remember_trial(identity, "crashed");
  REQUIRE(remembered_trial(identity) == "crashed");
  const auto file = fs::directory_iterator(memory.folder())->path();
  fs::resize_file(file, fs::file_size(file) - 1);
  CHECK(remembered_trial(identity) == std::nullopt);
  const auto elsewhere = memory.folder() / "elsewhere";
  remember_trial(identity, "");
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  CHECK(remembered_trial(identity) == std::nullopt);  // a link may lead anywhere
  fs::remove(file);
  std::ofstream(file) << "/another.so\n1 2 3 4.5\ncrashed\n";
  CHECK(remembered_trial(identity) == std::nullopt);
}

TEST_CASE("where nothing can be remembered a library is tried and opened", "[plugin][probe]") {
  const TemporaryFolder folder;
  setenv("XDG_CACHE_HOME", folder.file("a_file").c_str(), 1);
  CHECK(why_not_to_open(fixtures / "fixture.so") == std::nullopt);
  CHECK_FALSE(reason_of(fixtures / "aborts.so").empty());
  unsetenv("XDG_CACHE_HOME");
}
