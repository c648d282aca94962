// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/verb.hpp"
#include "config/codes.hpp"
#include "millrace/nearest.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

int list_codes() {
  std::size_t width = 0;
  for (const auto& code : code_texts()) width = std::max(width, code.name.size());
  for (const auto& code : code_texts())
    std::cout << "  " << left(code.name, width) << "  " << code.title << "\n";
  std::cout << "\nmillrace explain CODE says more of one.\n";
  return Exit::all_done;
}

void print_example(const std::string& title, std::string_view example) {
  if (example.empty()) return;
  std::cout << "\n" << title << "\n";
  for (std::size_t at = 0; at <= example.size();) {
    const auto line = example.substr(at, example.find('\n', at) - at);
    std::cout << "  " << printable(line) << "\n";
    at += line.size() + 1;
  }
}

int explain(const std::string& name) {
  const auto* code = find_code(name);
  if (!code) {
    std::vector<std::string> names;
    for (const auto& known : code_texts()) names.emplace_back(known.name);
    const auto meant = did_you_mean(name, names);
    say("millrace explain: there is no code '" + name + "'; " +
        (meant.empty() ? "'millrace explain' lists them" : meant));
    return Exit::wrong_usage;
  }
  std::cout << code->name << ": " << code->title << "\n\n" << wrapped(code->text, 0);
  print_example("Wrong", code->wrong);
  print_example("Right", code->right);
  return Exit::all_done;
}

struct Explain final : Verb {
  std::string code;

  void arguments(Arguments& a) override {
    a.positional("CODE", code, "As it stands in brackets behind a message; all without one")
        .completes(Argument::Completion::code);
  }
  int run() override { return code.empty() ? list_codes() : explain(code); }
};

const RegisterVerb<Explain> registered{"explain", Verbs::Group::pipelines,
                                       "Say more of a mistake that check tells",
                                       "millrace explain unknown-option"};

}  // namespace

}  // namespace millrace::cli
