// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "support/temporary_folder.hpp"
#include "testing/run_test.hpp"

namespace millrace::test {

/// A pipeline with tests in a folder of its own, with the picture a.png (16 x 12, colour), the
/// picture b.png (4 x 4, colour), the text a.txt ("Water runs\nthe mill.\n") and bad.png, which is
/// none.
class Tried {
 public:
  /// `stages` and `tests`: the lists below these keys. Fails the test where it cannot be loaded.
  Tried(const std::string& stages, const std::string& tests,
        const std::string& top = "vars: { size: 8 }\n");

  TestResult run(std::size_t test = 0);

  testing::TemporaryFolder folder;
  TestSettings settings;

 private:
  TestedFile file_;
};

/// Files, at most 8 x 8 pixels, and a PNG below out/.
extern const std::string resizing;

/// The pipeline `resizing` with one test: `test` is the rest of its map, in flow style.
TestResult tried(const std::string& test);

/// All that it says, a line each.
std::string said(const TestResult& result);

}  // namespace millrace::test
