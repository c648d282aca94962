// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/program.hpp"

using namespace millrace::testing;
namespace fs = std::filesystem;

namespace {

const fs::path reference = fs::path(MILLRACE_SOURCE_DIR) / "docs/reference";

std::set<std::string> pages_in(const fs::path& folder) {
  std::set<std::string> pages;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) pages.insert(fs::relative(entry.path(), folder).string());
  return pages;
}

void write_pages(const TemporaryFolder& folder) {
  const auto ended =
      Program({"stages", "--markdown", "--output", folder.path().string()}, folder.path()).wait();
  INFO(ended.err);
  REQUIRE(ended.status == 0);
}

/// What stands between ```yaml and ```.
std::string block_of(const std::string& page) {
  const std::string fence = "```yaml\n";
  const auto begin = page.find(fence);
  if (begin == page.npos) return {};
  const auto text = page.substr(begin + fence.size());
  return text.substr(0, text.find("```"));
}

}  // namespace

TEST_CASE("docs/reference is what the stages declare", "[cli][reference]") {
  const TemporaryFolder folder;
  write_pages(folder);
  INFO("write it again: build/dev/millrace stages --markdown --output docs/reference");
  auto written = pages_in(folder.path()), kept = pages_in(reference);
  // A plugin that is only built where OpenCV's imgcodecs is installed.
  const bool whole = written.contains("stages/opencv_decode.md");
  if (!whole) WARN("without the plugin opencv_codecs the index is not compared");
  if (!whole) kept.erase("stages/opencv_decode.md");
  CHECK(written == kept);
  for (const auto& page : written) {
    if (!whole && (page == "README.md" || page == "millrace.schema.json")) continue;
    INFO(page);
    CHECK(content_of(folder / page) == content_of(reference / page));
  }
}

TEST_CASE("every example of the reference is a sound pipeline", "[cli][reference]") {
  const TemporaryFolder folder;
  std::vector<std::string> arguments{"check"};
  for (const auto& page : pages_in(reference)) {
    const auto block = block_of(content_of(reference / page));
    if (block.empty()) continue;
    const auto name = fs::path(page).stem().string() + ".yaml";
    if (name == "opencv_decode.yaml" &&
        !fs::exists(MILLRACE_BINARY_DIR "/lib/millrace/plugins/opencv_codecs.so"))
      continue;
    folder.file(name, block);
    arguments.push_back(name);
  }
  CHECK(arguments.size() > 12);
  const auto ended = Program(arguments, folder.path()).wait();
  INFO(ended.err);
  CHECK(ended.status == 0);
}
