// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "millrace/plugin.hpp"
#include "plugin/find.hpp"
#include "plugin/trust.hpp"
#include "support/catch.hpp"
#include "support/plugin_folder.hpp"

using namespace millrace;
using namespace millrace::testing;
namespace fs = std::filesystem;

namespace {

const fs::path fixture = MILLRACE_FIXTURE;

/// A variable of the environment, as it was before when this ends.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    const char* const before = std::getenv(name);
    if (before != nullptr) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// A plugin folder with the fixture in it.
struct Fixture : PluginFolder {
  Fixture() {
    copy(fixture);
    manifest("fixture.so", "fixture");
  }
};

/// What is said of the fixture when it is refused.
std::string refusal() {
  Catalogue catalogue;
  load_manifests(catalogue);
  CHECK(catalogue.find("fixture") == nullptr);
  const auto* const reason = catalogue.why_left_out("fixture");
  return reason != nullptr ? *reason : "";
}

}  // namespace

TEST_CASE("plugins are looked for where the environment says, at home, and beside the library",
          "[plugin][find]") {
  const PluginFolder folder;
  const TemporaryFolder data;
  const Variable variable("XDG_DATA_HOME", data.path().string());
  const auto folders = plugin_folders();
  REQUIRE(folders.size() == 4);
  CHECK(folders[0] == "/not/there");
  CHECK(folders[1] == folder.path());
  CHECK(folders[2] == fs::canonical(data.path()) / "millrace/plugins/abi1");
  CHECK(folders[3] == fs::canonical(MILLRACE_BINARY_DIR "/lib/millrace/plugins"));
}

TEST_CASE("a data folder that is no whole path is not used", "[plugin][find]") {
  const Variable data("XDG_DATA_HOME", "here"), home("HOME", "/home/somebody");
  CHECK(plugin_folders().front() == "/home/somebody/.local/share/millrace/plugins/abi1");
}

TEST_CASE("the user's own plugins are found without being asked for", "[plugin][find]") {
  const TemporaryFolder data;
  const Variable variable("XDG_DATA_HOME", data.path().string());
  data.file("millrace/plugins/abi1/a.manifest",
            "millrace " + std::string(version()) + "\nlibrary a.so\nstage a stage Does it.\n");
  Catalogue catalogue;
  CHECK(load_manifests(catalogue).empty());
  CHECK(catalogue.find("a") != nullptr);
}

TEST_CASE("the first of two plugins with one stage has it", "[plugin][find]") {
  const Fixture first;
  const std::string path = first.path().string();
  const PluginFolder second;
  second.manifest("second.so", "fixture");
  setenv("MILLRACE_PLUGIN_PATH", (path + ":" + second.path().string()).c_str(), 1);
  Catalogue catalogue;
  load_manifests(catalogue);
  CHECK(catalogue.find("fixture")->plugin == first / "fixture.so");
  CHECK(catalogue.conflicts().size() == 1);
}

TEST_CASE("a plugin that cannot be used stands in nobody's way", "[plugin][find]") {
  const PluginFolder first;
  first.manifest("old.so", "fixture", "0.0.1");
  const std::string path = first.path().string();
  const Fixture second;
  setenv("MILLRACE_PLUGIN_PATH", (path + ":" + second.path().string()).c_str(), 1);
  Catalogue catalogue;
  load_manifests(catalogue);
  REQUIRE(catalogue.find("fixture") != nullptr);
  CHECK(catalogue.find("fixture")->plugin == second / "fixture.so");
}

TEST_CASE("a library, manifest or folder that everybody may write is refused", "[plugin][find]") {
  const Fixture folder;
  const auto [path, mode] = GENERATE(
      table<std::string, unsigned>({{"fixture.so", 0666}, {"fixture.manifest", 0646}, {"", 0777}}));
  const std::string file = path.empty() ? folder.path().string() : folder / path;
  REQUIRE(::chmod(file.c_str(), mode) == 0);
  CHECK_THAT(refusal(), ContainsSubstring("is refused: " + file +
                                          " may be written by everybody: chmod go-w " + file));
  CHECK_FALSE(is_open(folder.path() / "fixture.so"));
  REQUIRE(::chmod(file.c_str(), mode & 0755) == 0);
  Catalogue catalogue;
  CHECK(load_manifests(catalogue).empty());
}

TEST_CASE("a file of another user or of a group of others is refused", "[plugin][find]") {
  struct stat status {};
  status.st_uid = ::geteuid();
  status.st_gid = ::getegid();
  status.st_mode = S_IFREG | 0664;
  CHECK(distrust("/a/b.so", status) == std::nullopt);
  status.st_gid = ::getegid() + 1;
  CHECK_THAT(distrust("/a/b.so", status).value_or(""),
             ContainsSubstring("may be written by group"));
  status.st_mode = S_IFREG | 0644;
  CHECK(distrust("/a/b.so", status) == std::nullopt);
  status.st_uid = 0;
  CHECK(distrust("/a/b.so", status) == std::nullopt);
  status.st_uid = ::geteuid() + 77;
  CHECK_THAT(
      distrust("/a/it's.so", status).value_or(""),
      ContainsSubstring("who may change it") && ContainsSubstring("chown root '/a/it'\\''s.so'"));
}

TEST_CASE("a library that no manifest names is listed and not offered", "[plugin][find]") {
  const PluginFolder folder;
  folder.copy(fixture);
  const auto plugins = list_plugins();
  REQUIRE_FALSE(plugins.empty());
  CHECK(plugins[0].file == folder / "fixture.so");
  CHECK_THAT(plugins[0].problem, ContainsSubstring("no manifest names it"));
  folder.manifest("fixture.so", "other");
  CHECK(list_plugins()[0].problem.empty());
}
