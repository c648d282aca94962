// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/error_policy.hpp"

#include <algorithm>

namespace millrace::inline v1 {

ErrorPolicy::Rule::Rule(const OnError& setting, std::size_t inputs) : action(setting.action) {
  const Length& limit = setting.max_failures;
  const double most = limit.percent ? limit.value * static_cast<double>(inputs) / 100 : limit.value;
  tolerated = static_cast<std::size_t>(std::max(most, 0.0));
}

ErrorPolicy::ErrorPolicy(const Plan& plan, std::size_t inputs)
    : common_(std::make_shared<Rule>(plan.run.on_error, inputs)) {
  for (const auto& stage : plan.stages)
    rules_.push_back(stage.on_error ? std::make_shared<Rule>(*stage.on_error, inputs) : common_);
}

bool ErrorPolicy::stops_at(std::size_t stage, bool first) noexcept {
  Rule& rule = *rules_[stage];
  switch (rule.action) {
    case OnError::Action::carry_on:
      return false;
    case OnError::Action::stop:
      return true;
    case OnError::Action::limit:
      return first && ++rule.failures > rule.tolerated;
  }
  return false;
}

}  // namespace millrace::inline v1
