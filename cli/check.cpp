// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verbs.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
int check_pipelines(const CheckArguments& arguments) {
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

}  // namespace millrace::cli
