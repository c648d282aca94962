// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "support/catch.hpp"
#include "support/fake_catalogue.hpp"

using namespace millrace;
namespace fs = std::filesystem;

namespace {

const fs::path folder = fs::path(MILLRACE_SOURCE_DIR) / "tests/config/broken";

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The lines `# --set NAME=TEXT` of a case.
std::map<std::string, std::string> sets_of(const std::string& text) {
  std::map<std::string, std::string> sets;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto equal = line.find('=');
    if (line.starts_with("# --set ") && equal != line.npos)
      sets[line.substr(8, equal - 8)] = line.substr(equal + 1);
  }
  return sets;
}

std::set<std::string> stems(const std::string& extension) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) names.insert(entry.path().stem());
  return names;
}

}  // namespace

TEST_CASE("every broken pipeline is explained as its expectation says", "[config][broken]") {
  for (const auto& name : stems(".yaml")) {
    DYNAMIC_SECTION(name) {
      const auto text = read(folder / (name + ".yaml"));
      const auto result =
          load_pipeline(text, name + ".yaml", sets_of(text), test::fake_catalogue());
      const auto all = test::told(result, text);
      // To accept a change after reading it: MILLRACE_ACCEPT=1 in the environment.
      if (std::getenv("MILLRACE_ACCEPT")) std::ofstream(folder / (name + ".txt")) << all;
      CHECK(all == read(folder / (name + ".txt")));
      CHECK_FALSE(result.plan);
    }
  }
}

TEST_CASE("every broken pipeline has an expectation, and the reverse", "[config][broken]") {
  CHECK(stems(".yaml") == stems(".txt"));
  CHECK(stems(".yaml").size() >= 200);
}
