// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace::testing;

namespace {

/// The names of all test cases, as their sources spell them.
std::set<std::string> test_names() {
  const std::regex joined("\"\\s*\\n\\s*\"");  // a name in two parts
  const std::regex named("TEST_CASE\\(\\s*\"([^\"]+)\"");
  std::set<std::string> names{"a planted race is caught", "a planted lost_wakeup is caught",
                              "every test case"};
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(MILLRACE_SOURCE_DIR "/tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const auto text = std::regex_replace(content_of(entry.path()), joined, "");
    for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at)
      names.insert((*at)[1]);
  }
  return names;
}

}  // namespace

TEST_CASE("each test that docs/requirements.md names is there", "[docs]") {
  const auto names = test_names();
  const auto text = content_of(MILLRACE_SOURCE_DIR "/docs/requirements.md");
  const std::regex row("\n\\| ([A-Z]{2}-[0-9]+) \\|([^|]*)\\|([^|]*)\\|");
  const std::regex quoted("\"([^\"]+)\"");
  std::set<std::string> rows;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    const std::string id = (*at)[1], shown_by = (*at)[3];
    INFO(id);
    CHECK(rows.insert(id).second);
    CHECK(shown_by.find_first_not_of(' ') != std::string::npos);
    for (std::sregex_iterator name(shown_by.begin(), shown_by.end(), quoted); name != end; ++name)
      CHECK(names.contains((*name)[1]));
  }
  CHECK(rows.size() == 130);
}
