// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// Does what was typed behind `millrace` and returns the program's exit status. What is wrong with
/// the words is said on stderr; what the verb throws comes out.
int run_command_line(std::vector<std::string> words);

}  // namespace millrace::cli
