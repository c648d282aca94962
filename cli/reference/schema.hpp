// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "cli/reference/facts.hpp"

namespace millrace::cli {

/// A JSON Schema (draft 07) of a pipeline's file with these stages. It takes every file that is
/// checked to be fine, and marks the mistakes that can be told without the graph.
std::string schema_json(const std::vector<StageFacts>& stages);

}  // namespace millrace::cli
