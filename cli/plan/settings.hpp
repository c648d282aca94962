// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "millrace/pipeline.hpp"

namespace millrace::cli {

/// A setting that is in force, and where its value comes from.
struct Setting {
  std::string name;
  std::string value;                       ///< As it would be written.
  const Provenance* provenance = nullptr;  ///< Null: its default.
};

/// A stage's own, those that are absent left out.
std::vector<Setting> options_of(const PlannedStage& stage);
/// What stands beside the stage, and is not as usual or comes from a variable.
std::vector<Setting> engine_settings_of(const PlannedStage& stage);
/// What of `run` is not as usual.
std::vector<Setting> run_settings_of(const Plan& plan);

/// "vars in, line 3; env HOME", "--set size"; empty where the file has it as it is.
std::string origin_of(const Setting& setting);

/// `name: value (origin)` of each, with a comma where another follows; with its line where `lines`
/// says so.
std::vector<std::string> listed(const std::vector<Setting>& settings, bool lines = false);

}  // namespace millrace::cli
