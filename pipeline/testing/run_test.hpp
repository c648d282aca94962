// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "millrace/run.hpp"
#include "plan/load.hpp"

namespace millrace::inline v1 {

/// A pipeline's text, and how it is called.
struct TestedFile {
  std::string yaml, name;
  std::filesystem::path folder;             ///< What tests name is relative to it.
  std::map<std::string, std::string> sets;  ///< A test's own go before them.
};

struct TestSettings {
  std::filesystem::path output = "millrace-test";  ///< Where pictures that differ are written.
  bool accept = false;  ///< What differs from its expected file becomes that.
  Shutdown shutdown;
  Progress* progress = nullptr;  ///< Of one run; begins at zero.
};

struct TestResult {
  std::string name;
  bool cancelled = false;               ///< By the shutdown: nothing is known.
  std::vector<std::string> errors;      ///< What failed in the pipeline, in its own words.
  std::vector<std::string> complaints;  ///< What was expected and what came; may have many lines.
  std::vector<std::string> notes;       ///< Files that were written, warnings.
  Context::Clock::duration elapsed{};

  bool passed() const { return !cancelled && errors.empty() && complaints.empty(); }
};

/// Runs one of the tests of a file that loads without an error. Blocks. Throws Error only for what
/// concerns all tests.
TestResult run_test(const TestedFile& file, std::size_t test, const TestSettings& settings);

}  // namespace millrace::inline v1
