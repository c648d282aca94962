// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>

#include "testing/run_test.hpp"

namespace millrace::cli {

/// Tells what came of tests, as they end or at the end of all. [one thread]
class TestReport {
 public:
  virtual ~TestReport() = default;

  virtual void begin(const std::string& file) = 0;
  void tell(const TestResult& result);
  virtual void end() = 0;

  std::size_t failed() const noexcept { return failed_; }

 protected:
  virtual void take(const TestResult& result) = 0;

  std::size_t passed_ = 0, failed_ = 0;
  Context::Clock::duration elapsed_{};
};

/// `format`: text (for people), json (one object), junit (the XML that build servers read).
std::unique_ptr<TestReport> make_test_report(const std::string& format, std::ostream& out);

}  // namespace millrace::cli
