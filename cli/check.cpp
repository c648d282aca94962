// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verbs.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::vector<std::string> sets;
};

int check(const CheckArguments& arguments) {
  int status = Exit::all_done;
  for (const auto& file : arguments.files) {
    try {
      if (const auto plan = load({file, arguments.sets})) {
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

}  // namespace

void add_check(CLI::App& program, int& status) {
  auto* const verb = program.add_subcommand("check", "Tell every mistake in pipeline files");
  const auto arguments = std::make_shared<CheckArguments>();
  verb->add_option("FILE", arguments->files, "Pipeline files; - for standard input")->required();
  verb->add_option("--set", arguments->sets, "NAME=VALUE: a value for one of their vars")
      ->type_name("")
      ->expected(1)
      ->take_all();
  verb->callback([arguments, &status] { status = check(*arguments); });
}

}  // namespace millrace::cli
