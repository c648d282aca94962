// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "millrace/pipeline.hpp"
#include "run/preview.hpp"

namespace millrace::cli {

/// All that the table and the preview say, as one JSON object, for scripts. What is not UTF-8 in a
/// name becomes U+FFFD.
std::string json_of(const Plan& plan, const Preview& preview, int exit_status);

}  // namespace millrace::cli
