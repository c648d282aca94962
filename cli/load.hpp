// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "millrace/pipeline.hpp"

namespace millrace::cli {

/// What every verb with a pipeline is given.
struct PipelineArguments {
  std::string file;
  std::vector<std::string> sets;  ///< As given: `name=value`.
};

/// Puts the stages of plugins into the catalogue, without opening one; complaints go to stderr.
void find_plugins();

/// Reads the pipeline and says on stderr what is wrong with it; none where that is an error. `-`
/// is standard input. Throws Error (usage) where the file cannot be read or a set has no `=`.
std::optional<Plan> load(const PipelineArguments& arguments);

}  // namespace millrace::cli
