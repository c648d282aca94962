// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "millrace/pipeline.hpp"

namespace millrace::cli {

/// The stages as they will run, a row for each, and below it the settings that the file gives, with
/// where they come from. `all`: the defaults too, and the lines of the others. Fits into 80 columns
/// where names and values do.
std::string table_of(const Plan& plan, bool all = false);

}  // namespace millrace::cli
