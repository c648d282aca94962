// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// A pipeline of these stages to begin with: every option with its summary, those that may be left
/// out as comments with their default. A source and a sink are added where there is none. It
/// passes `check`; throws Error (usage) where no pipeline of these does.
std::string pipeline_skeleton(std::vector<std::string> stages);

}  // namespace millrace::cli
