// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "testing/collect.hpp"
#include "testing/run_test.hpp"

namespace millrace::inline v1 {

/// What has come of a test's run.
struct Outcome {
  std::vector<Output> outputs;
  std::vector<std::string> files;  ///< That its sinks have written.
  std::vector<Failure> failures;   ///< One without an item concerns the whole run.
  std::vector<Failure> skips;
};

/// Adds to the result what is not as expected, and writes what shows it.
void judge(const TestCase& test, const Outcome& outcome, const std::filesystem::path& folder,
           const TestSettings& settings, TestResult& result);

/// "input", "transient": a kind as the file writes it.
std::string kind_text(ErrorKind kind);

}  // namespace millrace::inline v1
