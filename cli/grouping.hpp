// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "millrace/run.hpp"

namespace millrace::cli {

/// What is said of several items for one reason.
struct FailureGroup {
  std::string stage;
  std::string message;                  ///< With `…` for what is different from item to item.
  bool is_the_same = true;              ///< Nothing is.
  std::vector<const Failure*> members;  ///< Into the list that was grouped.
};

/// By stage and message, but for names and numbers in it; in the order of each group's first.
std::vector<FailureGroup> grouped(const std::vector<Failure>& failures);

}  // namespace millrace::cli
