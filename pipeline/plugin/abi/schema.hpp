// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/value.hpp"

namespace millrace::abi {

enum class OptionKind { integer, number, boolean, string, array };

/// A property of a C plugin's option schema.
struct OptionSpec {
  std::string name;
  OptionKind kind = OptionKind::string;
  std::string description;
  std::string unit;
  bool required = false;
  Value preset;  ///< The default; null where there is none.
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices;  ///< Of a string; empty: any.
};

/// Reads a JSON Schema as millrace_plugin.h describes it. Throws Error (plugin) that names the
/// place and says what is allowed there.
std::vector<OptionSpec> read_schema(std::string_view json);

}  // namespace millrace::abi
