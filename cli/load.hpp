// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::cli {

/// What every verb with a pipeline is given.
struct PipelineArguments {
  std::string file;
  std::vector<std::string> sets;  ///< As given: `name=value`.

  void declare(Arguments& arguments);
};
void declare_sets(Arguments& arguments, std::vector<std::string>& sets);

/// Of a pipeline's file; `-` is standard input, a name that is no file a ready one. Throws Error
/// (usage) where it cannot be read.
std::string content_of(const std::string& file);
/// `name=value` each. Throws Error (usage) where one has no `=`, and for a name that comes twice.
std::map<std::string, std::string> parsed_sets(const std::vector<std::string>& sets);

/// From now on, none is found: --no-plugins.
void leave_out_plugins();
bool are_plugins_left_out();

/// Puts the stages of plugins into the catalogue, without opening one. Returns how many plugins
/// cannot be used; who asks for a stage of theirs is told.
std::size_t find_plugins();

/// Reads the pipeline and says on stderr what is wrong with it; none where that is an error. `-`
/// is standard input, a name that is no file a ready pipeline. Throws Error (usage) where the file
/// cannot be read or a set has no `=`.
std::optional<Plan> load(const PipelineArguments& arguments);

}  // namespace millrace::cli
