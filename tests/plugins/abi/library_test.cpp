// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/library.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <opencv2/core.hpp>
#include <sstream>

#include "millrace/plugin.hpp"
#include "millrace/run.hpp"
#include "plugin/manifest.hpp"
#include "plugins/abi/c_stage.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace_test;
namespace fs = std::filesystem;

namespace {

const fs::path folder = MILLRACE_ABI_FOLDER;

std::unique_ptr<Stage> stage_in(const fs::path& library, const std::string& name) {
  for (const auto& entry : stages_of(library))
    if (entry.name == name) return entry.make();
  FAIL("there is no stage " + name);
  return nullptr;
}

std::unique_ptr<Stage> frozen(const std::string& name) {
  return stage_in(folder / "frozen.so", name);
}

/// What is said of a library that cannot be used.
std::string fault_of(const std::string& fault) {
  const fs::path library = folder / ("faulty_" + fault + ".so");
  const std::string said = refusal([&] { stages_of(library); });
  REQUIRE(said.starts_with(library.string() + ": "));
  return said.substr(library.string().size() + 2);
}

/// What comes of an item at one that can be used, but breaks its contract.
std::string misdeed_of(const std::string& fault) {
  const auto stage = stage_in(folder / ("faulty_" + fault + ".so"), "faulty");
  return refusal([&] {
    const auto worker = stage->make_worker(Context());
    for (int i = 0; i < 2; ++i)
      if (const auto outcome = worked(*worker, bytes_of("x")); outcome.error) throw *outcome.error;
  });
}

std::string content_of(const fs::path& file) {
  std::ostringstream content;
  content << std::ifstream(file).rdbuf();
  return content.str();
}

}  // namespace

TEST_CASE("a plugin of the frozen 1.0 interface is loaded, with all kinds of stages",
          "[plugin][abi][frozen]") {
  CHECK(interface_of(folder / "frozen.so") == "1.0");
  CHECK(stages_of(folder / "frozen.so").size() == 6);
  const auto numbers = configured(frozen("frozen_numbers"), {{"count", "2"}});
  std::vector<std::string> names;
  dynamic_cast<Source&>(*numbers).list(
      Context(), [&](const Origin& origin) { names.push_back(origin.path); },
      [](const Origin&, const Error&) {});
  CHECK(names == std::vector<std::string>{"0", "1"});
  CHECK(text_of(worked(*numbers, {}).payloads.at(0)) == "a/b.txt");
  Image image;
  image.pixels = cv::Mat(40, 5, CV_8UC3, cv::Scalar::all(250));
  const auto inverted = worked(*frozen("frozen_invert"), image);
  CHECK(cv::countNonZero(std::get<Image>(inverted.payloads.at(0)).pixels.reshape(1) != 5) == 0);
  const auto text = worked(*frozen("frozen_text"), bytes_of("ab cd\n\nef"));
  const auto upper = worked(*frozen("frozen_upper"), text.payloads.at(0));
  const auto& block = std::get<Text>(upper.payloads.at(0)).blocks.at(0);
  CHECK(block.paragraphs.at(0).lines.at(0).words.at(1).text == "CD");
  CHECK(block.paragraphs.at(1).lines.at(0).words.at(0).text == "EF");
}

TEST_CASE("a frozen 1.0 plugin makes many of one, or none, and sees items in order",
          "[plugin][abi][frozen]") {
  const auto copies = worked(*frozen("frozen_copies"), bytes_of("x"));
  CHECK(copies.pages == std::vector<std::optional<std::uint32_t>>{1, 2, 3});
  CHECK(text_of(copies.payloads.at(2)) == "x");
  const auto none = configured(frozen("frozen_copies"), {{"count", "0"}});
  CHECK(worked(*none, bytes_of("x")).skipped == "no copies are wanted");
  CHECK(frozen("frozen_copies")->splits());
  Catalogue catalogue;
  for (const auto& entry : stages_of(folder / "frozen.so")) catalogue.add(entry);
  const auto result = load_pipeline(
      "version: 1\nstages:\n- frozen_numbers: {count: 9}\n- frozen_copies: {count: 2}\n"
      "- frozen_text\n- frozen_show: {count: 100}\n",
      "p.yaml", {}, catalogue);
  REQUIRE(result.plan);
  const Report report = run(*result.plan);
  CHECK(report.done == 9);
  REQUIRE(report.warnings.size() == 18);
  CHECK(report.warnings[0].message == "number 100 is 0 page 1");
  CHECK(report.warnings[17].message == "number 117 is 8 page 2");
}

TEST_CASE("the frozen header is the one of 1.0", "[plugin][abi][frozen]") {
  const std::string root = MILLRACE_SOURCE_DIR;
  const auto frozen_text = content_of(root + "/tests/plugins/abi/frozen/millrace_plugin.h");
  CHECK_THAT(frozen_text, ContainsSubstring("#define MR_ABI_NEWEST_MINOR 0\n"));
  if (MR_ABI_NEWEST_MINOR == 0)
    CHECK(frozen_text == content_of(root + "/plugins/abi/millrace_plugin.h"));
}

TEST_CASE("a check of a pipeline tells a C plugin's options as those of a built-in stage",
          "[plugin][abi]") {
  Catalogue catalogue;
  for (const auto& entry : stages_of(folder / "frozen.so")) catalogue.add(entry);
  const auto result = load_pipeline(
      "version: 1\nstages:\n- frozen_numbers: {cuont: 9}\n- frozen_show: {count: -1}\n", "p.yaml",
      {}, catalogue);
  REQUIRE(result.diagnostics.size() == 2);
  CHECK_THAT(result.diagnostics[0].hint, ContainsSubstring("did you mean 'count'"));
  CHECK_THAT(result.diagnostics[1].message, ContainsSubstring("-1 is not 0 or more"));
}

TEST_CASE("a C plugin that describes itself wrongly is refused with its path and the reason",
          "[plugin][abi]") {
  CHECK_THAT(fault_of("null_process"), ContainsSubstring("process is null"));
  CHECK_THAT(fault_of("short_stage"), ContainsSubstring("shorter than"));
  CHECK_THAT(fault_of("short_plugin"), ContainsSubstring("shorter than"));
  CHECK_THAT(fault_of("wrong_major"), ContainsSubstring("version 2.0 of the plugin interface"));
  CHECK_THAT(fault_of("newer_minor"), ContainsSubstring("MR_ABI_MINOR 0 or less"));
  CHECK_THAT(fault_of("two_names"), ContainsSubstring("two stages named 'faulty'"));
  CHECK_THAT(fault_of("bad_schema"), ContainsSubstring("'colour' is not a type"));
  CHECK_THAT(fault_of("unknown_kind"), ContainsSubstring("takes is 64"));
  CHECK(fault_of("null_plugin") == "millrace_plugin_v1 returned null");
  CHECK(fault_of("refuses") == "there is no such device");
}

TEST_CASE("a C plugin that breaks its contract at work fails the item with the reason",
          "[plugin][abi]") {
  CHECK_THAT(misdeed_of("double_release"), ContainsSubstring("handle that has ended"));
  CHECK_THAT(misdeed_of("undeclared_option"), ContainsSubstring("reads the option 'levle'"));
  CHECK_THAT(misdeed_of("wrong_result"), ContainsSubstring("returned 77"));
  CHECK_THAT(misdeed_of("wrong_kind"), ContainsSubstring("emits text, but gives bytes"));
  CHECK_THAT(misdeed_of("null_payload"), ContainsSubstring("handle that is null"));
  CHECK_THAT(misdeed_of("huge_image"), ContainsSubstring("out of memory"));
  CHECK_THAT(misdeed_of("after_the_call"), ContainsSubstring("or after its call"));
  CHECK(misdeed_of("none") == "nothing");
}

TEST_CASE("what a stage over the C++ wrapper throws is a result at the border", "[plugin][abi]") {
  const auto throwing = [](const std::string& what) {
    const auto stage = stage_in(folder / "wrapped.so", "wrapped_throws");
    return worked(
        *configured(stage_in(folder / "wrapped.so", "wrapped_throws"), {{"throws", what}}),
        bytes_of("x"));
  };
  CHECK(text_of(throwing("nothing").payloads.at(0)) == "x");
  CHECK(throwing("skip").skipped == "not wanted");
  CHECK(throwing("input").error->kind() == ErrorKind::input);
  CHECK(throwing("retry").error->kind() == ErrorKind::transient);
  CHECK(throwing("standard").complaint() == "too far");
  CHECK(throwing("number").complaint() == "an exception of an unknown type");
  CHECK(throwing("part").complaint() == "torn in a part");
  const auto stage =
      configured(stage_in(folder / "wrapped.so", "wrapped_throws"), {{"throws", "part"}});
  CHECK(stage->check() == std::vector<std::string>{"part is for tests without check()"});
  const auto words = stage_in(folder / "wrapped.so", "wrapped_words");
  CHECK(text_of(worked(*words, {}).payloads.at(0)) == "a/b.txt");
}

TEST_CASE(
    "a C plugin's manifest says which interface it needs, and a newer one is refused unopened",
    "[plugin][abi]") {
  const auto manifest = Manifest::read(folder / "frozen.manifest");
  CHECK(manifest.interface == "1.0");
  CHECK(manifest.own_version == "1.0");
  CHECK(manifest.built_for.empty());
  CHECK(manifest.stages.size() == 6);
  const testing::TemporaryFolder plugins;
  std::ofstream(plugins.path() / "later.manifest")
      << "abi 1.7\nlibrary later.so\nstage later stage It is later.\n";
  setenv("MILLRACE_PLUGIN_PATH", plugins.path().c_str(), 1);
  Catalogue catalogue;
  load_manifests(catalogue);
  unsetenv("MILLRACE_PLUGIN_PATH");
  CHECK(catalogue.find("later") == nullptr);
  REQUIRE(catalogue.why_left_out("later"));
  CHECK_THAT(*catalogue.why_left_out("later"),
             ContainsSubstring("built for version 1.7 of the plugin interface"));
}

#ifdef MILLRACE_NM
TEST_CASE("a C plugin exports one symbol", "[plugin][abi]") {
  for (const fs::path& library :
       {folder / "frozen.so", folder / "wrapped.so", fs::path(MILLRACE_ABI_FOLDER) / "vignette.so",
        fs::path(MILLRACE_ABI_FOLDER) / "sepia.so"}) {
    if (!fs::exists(library)) continue;  // no Rust here
    const std::string command = MILLRACE_NM " -D --defined-only '" + library.string() + "'";
    auto* const nm = popen(command.c_str(), "r");
    REQUIRE(nm != nullptr);
    std::string said;
    for (int c = std::fgetc(nm); c != EOF; c = std::fgetc(nm)) said += static_cast<char>(c);
    CHECK(pclose(nm) == 0);
    INFO(library.string() << " exports\n" << said);
    CHECK(std::count(said.begin(), said.end(), '\n') == 1);
    CHECK_THAT(said, ContainsSubstring(" T millrace_plugin_v1\n"));
  }
}
#endif
