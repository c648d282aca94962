// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "cli/doctor/check.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verb.hpp"
#include "millrace/version.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

using Verdict = Check::Verdict;

constexpr std::array words{"ok", "weak", "FAILED"};
constexpr std::array json_words{"good", "weak", "bad"};
constexpr std::size_t indent = 10;

std::size_t count(const std::vector<Check>& checks, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count(checks, verdict, &Check::verdict));
}

void print(const Check& check) {
  std::string text = check.what + (check.state.empty() ? "" : ": " + check.state);
  if (!check.problem.empty()) text += (check.state.empty() ? ": " : "; ") + check.problem;
  std::cout << "  " << left(words.at(static_cast<std::size_t>(check.verdict)), indent - 2)
            << wrapped(printable(text), indent).substr(indent);
  if (!check.remedy.empty())
    std::cout << std::string(indent, ' ') << printable(check.remedy) << "\n";  // whole, to copy
}

void print(const std::vector<Check>& checks) {
  std::string_view section;
  for (const auto& check : checks) {
    if (check.section != section)
      std::cout << (section.empty() ? "" : "\n") << check.section << "\n";
    section = check.section;
    print(check);
  }
  const auto bad = count(checks, Verdict::bad), weak = count(checks, Verdict::weak);
  std::cout << "\n"
            << (bad > 0 ? counted(bad, "check") + " failed: not every main job runs here.\n"
                        : "The main jobs run here" +
                              (weak > 0 ? "; " + counted(weak, "weak point") : "") + ".\n");
}

void print_json(const std::vector<Check>& checks) {
  using Json = nlohmann::ordered_json;
  Json json{{"millrace", std::string(version())},
            {"ready", count(checks, Verdict::bad) == 0},
            {"checks", Json::array()}};
  for (const auto& check : checks)
    json["checks"].push_back({{"section", check.section},
                              {"what", check.what},
                              {"verdict", json_words.at(static_cast<std::size_t>(check.verdict))},
                              {"state", check.state},
                              {"problem", check.problem},
                              {"remedy", check.remedy}});
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

struct Doctor final : Verb {
  bool json = false;

  void arguments(Arguments& a) override { a.flag("--json", json, "For programs"); }
  int run() override;
};

int Doctor::run() {
  find_plugins();
  auto checks = check_machine();
  const auto add = [&checks](std::vector<Check> more) {
    std::ranges::move(more, std::back_inserter(checks));
  };
  add(check_stages());
  if (!are_plugins_left_out()) add(check_plugins());
  if (json)
    print_json(checks);
  else
    print(checks);
  return count(checks, Verdict::bad) == 0 ? Exit::all_done : Exit::some_failed;
}

const RegisterVerb<Doctor> registered{"doctor", Verbs::Group::program,
                                      "Try what Millrace rests on here, and say what is missing",
                                      "millrace doctor"};

}  // namespace
}  // namespace millrace::cli
