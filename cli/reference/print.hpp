// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/reference/facts.hpp"

namespace millrace::cli {

/// For a terminal.
std::string stage_text(const StageFacts& stage);

/// For programs: one object, or an object with a list of them.
std::string stage_json(const StageFacts& stage);
std::string stages_json(const std::vector<StageFacts>& stages);

/// A page of the reference.
std::string stage_markdown(const StageFacts& stage);
/// The whole of it, the schema included, by the paths below its folder.
std::map<std::string, std::string> reference_pages(const std::vector<StageFacts>& stages);

}  // namespace millrace::cli
