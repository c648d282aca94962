// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// format() of all mistakes of a file, in a time that grows with their number and not with its
/// square. Where a line has several fixes, each is shown with the others made too.
std::string format_all(const std::vector<Diagnostic>& diagnostics, const std::string& text,
                       bool colour = false);

}  // namespace millrace::inline v1
