// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "testing/judge.hpp"

namespace millrace::inline v1 {

/// What is expected of each output.
void judge_outputs(const TestCase& test, const std::vector<Output>& outputs,
                   const std::filesystem::path& folder, const TestSettings& settings,
                   TestResult& result);

}  // namespace millrace::inline v1
