// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "cli/load.hpp"

namespace millrace::cli {

// Each verb's function returns the program's exit status. What they take is told to the command
// line by main.cpp alone: CLI11's header costs 15 s wherever it is included.

struct RunArguments {
  PipelineArguments pipeline;
  bool quiet = false;
  bool no_fuse = false;
};
int run_pipeline(const RunArguments& arguments);

struct CheckArguments {
  std::vector<std::string> files;
  std::vector<std::string> sets;
};
int check_pipelines(const CheckArguments& arguments);

int print_plan(const PipelineArguments& arguments);

/// All stages where the name is empty.
int print_stages(const std::string& name);

int print_plugins();
/// `file`: a plugin's library, or its manifest.
int check_plugin_file(const std::string& file);

/// Writes a copy of plugins/example/cpp/ or c/ into a new folder of this name.
int write_new_plugin(const std::string& name, bool in_c);

}  // namespace millrace::cli
