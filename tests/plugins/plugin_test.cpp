// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/plugin.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "millrace/version.hpp"
#include "support/catch.hpp"
#include "support/plugin_folder.hpp"

using namespace millrace;
using namespace millrace::testing;
namespace fs = std::filesystem;

namespace {

Error error_of(const Catalogue& catalogue, const std::string& stage) {
  const auto* entry = catalogue.find(stage);
  REQUIRE(entry != nullptr);
  try {
    entry->make();
  } catch (const Error& error) {
    return error;
  }
  FAIL("it was made");
  return {ErrorKind::internal, ""};
}

const fs::path fixture = MILLRACE_FIXTURE;

}  // namespace

TEST_CASE("the build writes what a plugin's library registers into its manifest", "[plugin]") {
  const std::string text = content_of(fs::path(fixture).replace_extension(".manifest"));
  CHECK_THAT(text, ContainsSubstring("\nmillrace " + std::string(version()) + "\n"));
  CHECK_THAT(text, ContainsSubstring("\nlibrary fixture.so\n"));
  CHECK_THAT(text, ContainsSubstring("\nstage fixture converter Turn the bytes round.\n"));
}

TEST_CASE("a plugin is listed unopened, and opened when a stage of it is made", "[plugin]") {
  const PluginFolder folder;
  folder.copy(fixture);
  folder.copy(fs::path(fixture).replace_extension(".manifest"));
  Catalogue catalogue;
  CHECK(load_manifests(catalogue).empty());
  const auto* entry = catalogue.find("fixture");
  REQUIRE(entry != nullptr);
  CHECK(entry->summary == "Turn the bytes round.");
  CHECK(entry->role == Role::converter);
  CHECK(entry->plugin == (folder.path() / "fixture.so").string());
  CHECK_FALSE(is_open(folder.path() / "fixture.so"));

  const auto stage = entry->make();
  CHECK(is_open(folder.path() / "fixture.so"));
  Options options;
  stage->options(options);
  CHECK(options.find("least")->assign(Value::scalar("101")).has_value());
  CHECK(entry == catalogue.find("fixture"));
  CHECK(Catalogue::instance().find("fixture") == nullptr);
}

TEST_CASE("an error that a plugin throws is caught as what it is", "[plugin]") {
  const PluginFolder folder;
  folder.manifest(fixture.string(), "fixture");
  Catalogue catalogue;
  load_manifests(catalogue);
  const auto stage = catalogue.find("fixture")->make();
  const Context root;
  ItemContext context(root, {});
  const Payload empty = Bytes{std::make_shared<const std::vector<std::byte>>(), "txt"};
  const auto worker = stage->make_worker(root);
  CHECK_THROWS_AS(worker->work(context, empty, [](Payload, auto) {}), Error);
}

TEST_CASE("finding the plugins twice changes nothing", "[plugin]") {
  const PluginFolder folder;
  folder.manifest(fixture.string(), "fixture");
  Catalogue catalogue;
  load_manifests(catalogue);
  const auto* entry = catalogue.find("fixture");
  const auto count = catalogue.all().size();
  load_manifests(catalogue);
  CHECK(catalogue.find("fixture") == entry);
  CHECK(catalogue.all().size() == count);
  CHECK(catalogue.conflicts().empty());
}

TEST_CASE("a plugin for another version is refused unopened", "[plugin]") {
  const PluginFolder folder;
  folder.copy(fixture);
  folder.manifest("fixture.so", "fixture", "0.0.1");
  Catalogue catalogue;
  const auto complaints = load_manifests(catalogue);
  const std::string reason =
      "built for Millrace 0.0.1, this is " + std::string(version()) + ": rebuild it";
  REQUIRE(complaints.size() == 1);
  CHECK(complaints[0] == (folder / "fixture.manifest") + ": " + reason);
  CHECK(catalogue.find("fixture") == nullptr);
  REQUIRE(catalogue.why_left_out("fixture") != nullptr);
  CHECK(*catalogue.why_left_out("fixture") ==
        "the plugin " + (folder / "fixture.so") + " has it but is refused: " + reason);
  CHECK_FALSE(is_open(folder.path() / "fixture.so"));
}

TEST_CASE("a library that is not there or is none is told with its path and the reason",
          "[plugin]") {
  const PluginFolder folder;
  folder.manifest("absent.so", "absent");
  folder.manifest("text.so", "text");
  folder.write("text.so", "This is no library.");
  Catalogue catalogue;
  CHECK(load_manifests(catalogue).empty());
  const auto absent = error_of(catalogue, "absent");
  CHECK(absent.kind() == ErrorKind::plugin);
  CHECK_THAT(absent.what(), ContainsSubstring((folder.path() / "absent.so").string() +
                                              ": cannot open shared object file: No such file"));
  const auto text = error_of(catalogue, "text");
  CHECK(text.kind() == ErrorKind::plugin);
  CHECK_THAT(text.what(), ContainsSubstring((folder.path() / "text.so").string()));
  CHECK_THAT(text.what(), ContainsSubstring("file too short") || ContainsSubstring("ELF"));
}

TEST_CASE("a library that lacks a function is told by that function's name", "[plugin]") {
  const PluginFolder folder;
  folder.manifest(MILLRACE_UNRESOLVED, "unresolved");
  Catalogue catalogue;
  load_manifests(catalogue);
  const auto error = error_of(catalogue, "unresolved");
  CHECK(error.kind() == ErrorKind::plugin);
  CHECK_THAT(error.what(), ContainsSubstring("nobody_has_this"));
}

TEST_CASE("a library that does not keep its manifest's promise is told what it has", "[plugin]") {
  const PluginFolder folder;
  folder.manifest(fixture.string(), "promised");
  Catalogue catalogue;
  load_manifests(catalogue);
  const auto error = error_of(catalogue, "promised");
  CHECK(error.kind() == ErrorKind::plugin);
  CHECK_THAT(error.what(), ContainsSubstring("'promised'") && ContainsSubstring("it has fixture"));
}

TEST_CASE("a manifest that cannot be read is named and harms no other", "[plugin]") {
  const PluginFolder folder;
  folder.write("a.manifest", "millrace 0.1.0\nlibary a.so\n");
  folder.write("b.manifest", "millrace 0.1.0\nlibrary b.so\nstage b filter Does it.\n");
  folder.write("c.manifest", "");
  fs::create_directory(folder.path() / "d.manifest");
  REQUIRE(::mkfifo((folder.path() / "e.manifest").c_str(), 0600) == 0);  // nobody writes into it
  folder.manifest(fixture.string(), "fixture");
  Catalogue catalogue;
  const auto complaints = load_manifests(catalogue);
  REQUIRE(complaints.size() == 5);
  CHECK_THAT(complaints[0], ContainsSubstring("a.manifest:2: 'libary' is not one of"));
  CHECK_THAT(complaints[1],
             ContainsSubstring("b.manifest:3: wants 'stage NAME stage|converter|decoder"));
  CHECK_THAT(complaints[2], ContainsSubstring("c.manifest: wants"));
  CHECK_THAT(complaints[3], ContainsSubstring("d.manifest: cannot be read"));
  CHECK_THAT(complaints[4], ContainsSubstring("e.manifest: cannot be read"));
  CHECK(catalogue.find("fixture") != nullptr);
}

TEST_CASE("a manifest tells what flows through a stage, where it says so", "[plugin]") {
  const PluginFolder folder;
  const auto head = "millrace " + std::string(version()) + "\nlibrary a.so\n";
  folder.write("a.manifest", head + "stage a stage Does it.\nflow a bytes image -> text\n");
  folder.write("b.manifest", head + "stage b stage Does it.\nflow b ->\nstage c stage Too.\n");
  folder.write("d.manifest", head + "stage d stage Does it.\nflow d pixels ->\n");
  Catalogue catalogue;
  const auto complaints = load_manifests(catalogue);
  REQUIRE(complaints.size() == 1);
  CHECK_THAT(complaints[0], ContainsSubstring("d.manifest:4: 'pixels' is not one of bytes"));
  const auto& flow = catalogue.find("a")->flow;
  REQUIRE(flow);
  CHECK(flow->takes == std::vector{PayloadKind::bytes, PayloadKind::image});
  CHECK(flow->gives == PayloadKind::text);
  CHECK((catalogue.find("b")->flow && catalogue.find("b")->flow->takes.empty()));
  CHECK_FALSE(catalogue.find("c")->flow);
}

TEST_CASE("a plugin does not take the place of a stage that is there", "[plugin]") {
  const PluginFolder folder;
  folder.manifest(fixture.string(), "resize");
  Catalogue catalogue;
  catalogue.add({"resize", "Built in.", Role::stage, nullptr, {}});
  load_manifests(catalogue);
  load_manifests(catalogue);
  CHECK(catalogue.find("resize")->summary == "Built in.");
  REQUIRE(catalogue.conflicts().size() == 1);
  CHECK_THAT(catalogue.conflicts()[0], ContainsSubstring("fixture.so"));
}

TEST_CASE("the plugins of the build are found beside the library", "[plugin]") {
  Catalogue catalogue;
  CHECK(load_manifests(catalogue).empty());
  REQUIRE(catalogue.find("ocr") != nullptr);
  CHECK(catalogue.find("ocr")->plugin ==
        fs::canonical(MILLRACE_BINARY_DIR "/lib/millrace/plugins/ocr.so").string());
}

TEST_CASE("OpenMP is limited to one thread before a plugin is opened", "[plugin]") {
  setenv("OMP_THREAD_LIMIT", "8", 1);
  const PluginFolder folder;
  folder.copy(fixture);
  folder.manifest("fixture.so", "fixture");
  Catalogue catalogue;
  load_manifests(catalogue);
  catalogue.find("fixture")->make();
  CHECK(std::string(std::getenv("OMP_THREAD_LIMIT")) == "1");
}
