// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// Says when failures end the run: by the run's setting, or by a stage's own for what fails there.
/// [any thread, at once]
class ErrorPolicy {
 public:
  ErrorPolicy(const Plan& plan, std::size_t inputs);

  /// True when the run must stop. A limit counts inputs, not the pages of one: `first` tells an
  /// input's first failure.
  bool stops_at(std::size_t stage, bool first) noexcept;

 private:
  struct Rule {
    Rule(const OnError& setting, std::size_t inputs);
    OnError::Action action;
    std::size_t tolerated;  // failures that do not stop the run yet
    std::atomic<std::size_t> failures = 0;
  };
  std::shared_ptr<Rule> common_;
  std::vector<std::shared_ptr<Rule>> rules_;  // by stage
};

}  // namespace millrace::inline v1
