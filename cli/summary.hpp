// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <iosfwd>
#include <string>

#include "millrace/run.hpp"

namespace millrace::cli {

/// What a run has come to, for people: a line for each failed item, one for the skipped, one for
/// the whole. `noun` is what is counted; `quiet` leaves the failed ones alone.
void print_summary(std::ostream& out, const Report& report, const std::string& noun, bool quiet);

}  // namespace millrace::cli
