// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "millrace/option.hpp"

namespace millrace::inline v1 {

/// What a whole number is expected to be: `800`, `"<= 600"`, `"> 0"`, `10..20`.
struct Comparison {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();

  bool holds(std::int64_t number) const noexcept { return number >= low && number <= high; }
  bool operator==(const Comparison&) const = default;
};

template <>
struct OptionType<Comparison> {
  static std::string name();
  static std::optional<std::string> parse(const Value& value, Comparison& to);
  static std::string print(const Comparison& value);
  static std::optional<double> number(const Comparison&) { return std::nullopt; }
  static std::string schema();
};

/// A part of a whole: `1%`, `0.05%`.
struct Share {
  double percent = 0;
  bool operator==(const Share&) const = default;
};

template <>
struct OptionType<Share> {
  static std::string name();
  static std::optional<std::string> parse(const Value& value, Share& to);
  static std::string print(const Share& value);
  static std::optional<double> number(const Share&) { return std::nullopt; }
  static std::string schema();
};

/// "0.04%", with as many digits as tell it from nothing.
std::string percent_text(double percent);

}  // namespace millrace::inline v1
