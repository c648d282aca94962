// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace millrace::cli {

/// The words that are neither a file, a folder nor a pattern, each with the reason.
std::vector<std::string> input_complaints(const std::vector<std::string>& in);

/// Whether all of them are files, so that no pattern need say which ones to take.
bool are_files(const std::vector<std::string>& in);

/// What -o means to `write`: a template where it has braces; one file, for one input, where its
/// ending is one of `endings`; else a folder, in which each input is `name`. Throws Error (usage).
std::string output_template(const std::string& out, const std::vector<std::string>& in,
                            const std::string& name, const std::vector<std::string>& endings);

/// Patterns for what -o puts below a folder that is read, relative to it: at the next time they are
/// no inputs.
std::vector<std::string> outputs_within(const std::vector<std::string>& in, const std::string& out);

/// In small letters, without the dot; "" where there is none.
std::string ending_of(const std::string& path);

}  // namespace millrace::cli
