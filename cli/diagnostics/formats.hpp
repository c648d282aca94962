// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "cli/diagnostics/checked.hpp"

namespace millrace::cli {

/// Whether escapes for colours may be written to this descriptor: to a terminal that knows them,
/// unless NO_COLOR is set; anywhere where CLICOLOR_FORCE is.
bool wants_colour(int descriptor);

/// What was found, for programs. Valid whatever bytes are in names and texts.
std::string json_of(const std::vector<CheckedFile>& files);
/// SARIF 2.1.0 (OASIS), with a rule for each code and a fix where there is one.
std::string sarif_of(const std::vector<CheckedFile>& files);
/// Workflow commands of GitHub Actions, one line each.
std::string github_of(const std::vector<CheckedFile>& files);

}  // namespace millrace::cli
