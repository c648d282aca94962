// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "millrace/pipeline.hpp"

namespace millrace::cli {

/// All that the table and the preview say, on stdout as one JSON object, for scripts; what keeps
/// the run from starting on stderr too. What is not UTF-8 in a name becomes U+FFFD. Returns the
/// exit status of status_of().
int show_json(const Plan& plan);

}  // namespace millrace::cli
