// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verb.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

struct Check final : Verb {
  std::vector<std::string> files, sets;

  void arguments(Arguments& a) override {
    a.positional("FILE", files, "Pipeline files; - for standard input")
        .required()
        .completes(Argument::Completion::file);
    declare_sets(a, sets);
  }
  int run() override;
};

int Check::run() {
  int status = Exit::all_done;
  for (const auto& file : files) {
    try {
      if (const auto plan = load({file, sets})) {
        std::cout << printable(file) << ": fine, " << counted(plan->stages.size(), "stage") << "\n";
        continue;
      }
    } catch (const Error& error) {
      say_lines(error.what());
    }
    status = Exit::wrong_usage;
  }
  return status;
}

const RegisterVerb<Check> registered{"check", Verbs::Group::pipelines,
                                     "Tell every mistake in pipeline files",
                                     "millrace check my.yaml --set in=photos"};

}  // namespace

}  // namespace millrace::cli
