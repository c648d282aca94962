// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// What a shell may put in for the last of the words, which is as far as it was typed: one line for
/// each candidate, with a tab and what it means behind it. `:files` and `:folders` stand for names
/// that the shell knows itself. `words`: those behind `millrace`, up to the cursor.
std::vector<std::string> completions(const std::vector<std::string>& words);

/// The script that makes a shell ask for them; "" where the shell is not known.
std::string completion_script(const std::string& shell);

}  // namespace millrace::cli
