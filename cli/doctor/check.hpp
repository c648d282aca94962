// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// One thing that the doctor looked at.
struct Check {
  enum class Verdict {
    good,
    weak,  ///< The main jobs run; slower, or without something.
    bad,   ///< A main job does not run.
  };

  std::string section;  ///< "Machine", or a stage.
  std::string what;
  Verdict verdict = Verdict::good;
  std::string state;    ///< What was found.
  std::string problem;  ///< Of one that is not good.
  std::string remedy;   ///< A command; may be empty.
};

/// What this process may use of the machine, and Millrace's own programs.
std::vector<Check> check_machine();

/// What the stages of the catalogue rest on, tried out.
std::vector<Check> check_stages();

/// The plugins that are found, unopened.
std::vector<Check> check_plugins();

}  // namespace millrace::cli
