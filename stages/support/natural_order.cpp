// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/natural_order.hpp"

#include <algorithm>
#include <cstddef>

#include "stages/support/ascii.hpp"

namespace millrace::inline v1 {
namespace {

// The separator sorts below every byte, so that comparing paths compares them part by part.
int rank(char c) noexcept { return c == '/' ? 0 : 1 + static_cast<unsigned char>(c); }

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// The run of digits at the front, which is taken off, without its leading zeros.
std::string_view take_number(std::string_view& text) noexcept {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  auto digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) noexcept {
  auto rest_a = a, rest_b = b;
  while (!rest_a.empty() && !rest_b.empty()) {
    if (is_digit(rest_a[0]) && is_digit(rest_b[0])) {
      const auto number_a = take_number(rest_a), number_b = take_number(rest_b);
      if (number_a.size() != number_b.size()) return number_a.size() < number_b.size();
      if (number_a != number_b) return number_a < number_b;
      continue;
    }
    const int rank_a = rank(lower(rest_a[0])), rank_b = rank(lower(rest_b[0]));
    if (rank_a != rank_b) return rank_a < rank_b;
    rest_a.remove_prefix(1);
    rest_b.remove_prefix(1);
  }
  if (rest_a.empty() != rest_b.empty()) return rest_a.empty();
  return name_less(a, b);
}

bool name_less(std::string_view a, std::string_view b) noexcept {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](char x, char y) { return rank(x) < rank(y); });
}

}  // namespace millrace::inline v1
