// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/manual.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "cli/help.hpp"
#include "cli/verb.hpp"
#include "support/catch.hpp"
#include "support/shell.hpp"
#include "support/temporary_folder.hpp"

using namespace millrace::cli;
using namespace millrace::testing;

TEST_CASE("the manual page has every verb with its example", "[cli][manual]") {
  const auto page = manual_page();
  for (const auto* const verb : Verbs::instance().all())
    CHECK_THAT(page, ContainsSubstring(".SS " + verb->name + "\n"));
  CHECK_THAT(page, ContainsSubstring(".B \\-q, \\-\\-quiet\n"));
  CHECK_THAT(page, ContainsSubstring("millrace stages resize"));
}

TEST_CASE("no request of the manual page comes from what verbs say", "[cli][manual]") {
  std::istringstream lines(manual_page());
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('.') && !line.starts_with('\'')) continue;
    const auto request = line.substr(1, line.find(' ') - 1);
    INFO(line);
    CHECK_THAT("TH SH SS PP TP B I nf fi RS RE ", ContainsSubstring(request + " "));
  }
}

TEST_CASE("man reads the manual page without a complaint", "[cli][manual]") {
  if (shell("command -v mandoc >/dev/null").status != 0) {
    WARN("mandoc is not installed: the page is not read");
    return;
  }
  const TemporaryFolder folder;
  folder.file("millrace.1", manual_page());
  // It has no date: what it says is as old as the program that prints it.
  const auto lint = "mandoc -Tlint '" + folder / "millrace.1" + "' | grep -v 'missing date'";
  CHECK(shell(lint).out.empty());
}

TEST_CASE("each verb's help fits on a screen, with an example", "[cli][help]") {
  constexpr long lines_of_a_screen = 48;
  constexpr std::size_t columns_of_a_screen = 80;
  for (const auto* const verb : Verbs::instance().all()) {
    const auto made = verb->make();
    Arguments arguments;
    made->arguments(arguments);
    const auto text = help_text(*verb, arguments);
    INFO(text);
    CHECK(std::count(text.begin(), text.end(), '\n') <= lines_of_a_screen);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= columns_of_a_screen);
    CHECK_THAT(text, ContainsSubstring("For example\n"));
  }
}
