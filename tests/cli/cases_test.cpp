// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "support/catch.hpp"
#include "support/program.hpp"

using namespace millrace::testing;

namespace {

/// A file in tests/cli/cases: what is typed, what must come.
///   args: run p.yaml --set a=b     (words, parted by spaces)
///   exit: 2
///   plugins: abi                   (a folder of tests/plugins in the build)
///   --- file p.yaml                (any number; the text up to the next ---)
///   --- stdout                     (each line must be in it; `! ` in front: must not be)
///   --- stderr
///   --- left                       (all that is in the folder afterwards, but for the files above)
struct Case {
  std::vector<std::string> arguments;
  std::string plugins;
  int status = -1;
  std::map<std::string, std::string> sections;
};

Case read_case(const std::filesystem::path& file) {
  Case result;
  std::ifstream stream(file);
  std::string line, section;
  while (std::getline(stream, line)) {
    if (line.starts_with("--- ")) {
      section = line.substr(4);
      result.sections[section];
    } else if (!section.empty()) {
      result.sections[section] += line + "\n";
    } else if (line.starts_with("args:")) {
      std::istringstream words(line.substr(5));
      for (std::string word; words >> word;) result.arguments.push_back(word);
    } else if (line.starts_with("plugins: ")) {
      result.plugins = MILLRACE_FIXTURES "/" + line.substr(9);
    } else if (line.starts_with("exit: ")) {
      result.status = std::stoi(line.substr(6));
    } else if (!line.empty() && line[0] != '#') {
      throw std::runtime_error(file.string() + ": " + line);
    }
  }
  return result;
}

void check_lines(const std::string& expected, const std::string& text) {
  std::istringstream lines(expected);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line.starts_with("! "))
      CHECK_THAT(text, !ContainsSubstring(line.substr(2)));
    else
      CHECK_THAT(text, ContainsSubstring(line));
  }
}

void check_case(const Case& expected) {
  const TemporaryFolder folder;
  std::vector<std::string> given;
  for (const auto& [section, text] : expected.sections)
    if (section.starts_with("file ")) {
      folder.file(section.substr(5), text);
      given.push_back(section.substr(5));
    }
  const auto ended = Program(expected.arguments, folder.path(), expected.plugins).wait();
  INFO("stdout:\n" << ended.out << "stderr:\n" << ended.err);
  CHECK(ended.status == expected.status);
  for (const auto& [section, text] : expected.sections) {
    if (section == "stdout") check_lines(text, ended.out);
    if (section == "stderr") check_lines(text, ended.err);
    if (section != "left") continue;
    std::string left;
    for (const auto& name : folder.names())
      if (std::filesystem::is_regular_file(folder.path() / name) &&
          std::ranges::find(given, name) == given.end())
        left += name + "\n";
    CHECK(left == text);
  }
}

}  // namespace

TEST_CASE("the program does what the cases say", "[cli][cases]") {
  std::size_t cases = 0;
  const std::filesystem::path folder = MILLRACE_SOURCE_DIR "/tests/cli/cases";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".case") continue;
    ++cases;
    INFO(entry.path().filename().string());
    check_case(read_case(entry.path()));
  }
  CHECK(cases > 0);
}
