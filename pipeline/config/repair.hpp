// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "config/codes.hpp"
#include "millrace/option.hpp"

namespace millrace::inline v1 {

/// What is wrong with a value that an option refuses, and what was probably meant.
struct Repair {
  Code code = Code::wrong_type;
  std::optional<std::string> text;  ///< A text that the option takes.
};

/// `complaint` is why the option refuses it. May leave the option with another value.
Repair repair(Option& option, const Value& value, const std::string& complaint);

}  // namespace millrace::inline v1
