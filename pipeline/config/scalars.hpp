// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "millrace/value.hpp"

namespace millrace::inline v1 {

using Complaint = std::optional<std::string>;

/// "'5x' is not a number", for a value of any kind.
inline std::string not_a(const std::string& what, const Value& value) {
  switch (value.kind) {
    case Value::Kind::scalar:
      return "'" + value.text + "' is not " + what;
    case Value::Kind::list:
      return "a list is not " + what;
    case Value::Kind::map:
      return "a map is not " + what;
    case Value::Kind::null:
      break;
  }
  return "there is no value; give " + what;
}

/// As not_a(), for what must not be quoted.
inline std::string not_plain(const std::string& what, const Value& value) {
  if (value.kind != Value::Kind::scalar || !value.quoted) return not_a(what, value);
  return "'" + value.text + "' is quoted and so a text, not " + what + "; remove the quotes";
}

/// A plain (unquoted) scalar's text.
inline const std::string* plain(const Value& value) {
  return value.kind == Value::Kind::scalar && !value.quoted ? &value.text : nullptr;
}

/// `012` is ten to some readers and twelve to others.
inline bool is_padded(std::string_view text) {
  const auto first = text.find_first_not_of('-');
  return first != text.npos && text[first] == '0' && first + 1 < text.size() &&
         text[first + 1] >= '0' && text[first + 1] <= '9';
}

template <class Number>
struct Reading {
  std::optional<Number> number;
  bool too_large = false;
};

/// The whole text as a decimal number: `5`, `-0.5`, `.5`, `1e3`; no other base, no padding with
/// zeros, no sign `+`, no `_` between digits, no space, no infinity.
template <class Number>
Reading<Number> read_number(std::string_view text) {
  Number number = 0;
  const auto end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end || is_padded(text)) return {};
  if (error == std::errc::result_out_of_range) return {std::nullopt, true};
  if (error != std::errc()) return {};
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(number)) return {};
  return {number, false};
}

template <class Number>
Complaint parse_number(const std::string& what, const Value& value, Number& to) {
  const auto* text = plain(value);
  if (!text) return not_plain(what, value);
  const auto reading = read_number<Number>(*text);
  if (reading.too_large) return "'" + *text + "' is out of the range of " + what;
  if (!reading.number) return not_a(what, value);
  to = *reading.number;
  return std::nullopt;
}

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

/// `12.5ms`: a number that one of the units follows at once; in the smallest unit. None also when
/// that does not fit.
template <std::size_t N>
std::optional<std::int64_t> with_unit(std::string_view text, const std::array<Unit, N>& units) {
  const auto split = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto digits = text.substr(0, split);
  const auto unit = std::ranges::find(units, text.substr(split), &Unit::name);
  if (unit == units.end()) return std::nullopt;
  if (digits.find('.') == digits.npos) {
    const auto count = read_number<std::int64_t>(digits).number;
    if (!count || *count > std::numeric_limits<std::int64_t>::max() / unit->factor)
      return std::nullopt;
    return *count * unit->factor;
  }
  const auto number = read_number<double>(digits).number;
  const double product = number.value_or(0) * static_cast<double>(unit->factor);
  if (!number || product >= 0x1p63) return std::nullopt;
  return std::llround(product);
}

}  // namespace millrace::inline v1
