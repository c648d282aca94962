// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/comparison.hpp"

#include <array>
#include <cstdio>
#include <string_view>

#include "config/scalars.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

std::string_view trimmed(std::string_view text) {
  const auto first = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// Far enough from the ends of the type that a step beyond it is a number too.
std::optional<std::int64_t> read_count(std::string_view text) {
  const auto number = read_number<std::int64_t>(trimmed(text)).number;
  constexpr std::int64_t most = std::int64_t{1} << 60;
  return number && *number >= 0 && *number <= most ? number : std::nullopt;
}

std::optional<Comparison> read_comparison(std::string_view text) {
  if (const auto dots = text.find(".."); dots != text.npos) {
    const auto low = read_count(text.substr(0, dots)), high = read_count(text.substr(dots + 2));
    return low && high && *low <= *high ? std::optional(Comparison{*low, *high}) : std::nullopt;
  }
  const auto digits = std::min(text.find_first_not_of("<>="), text.size());
  const auto sign = text.substr(0, digits);
  const auto number = read_count(text.substr(digits));
  if (!number) return std::nullopt;
  if (sign.empty()) return Comparison{*number, *number};
  if (sign == "<=") return Comparison{lowest, *number};
  if (sign == ">=") return Comparison{*number, highest};
  if (sign == "<") return Comparison{lowest, *number - 1};
  if (sign == ">") return Comparison{*number + 1, highest};
  return std::nullopt;
}

}  // namespace

std::string OptionType<Comparison>::name() { return "number or comparison"; }

/// Quotes are no mistake: YAML wants them where a value begins with `>`.
Complaint OptionType<Comparison>::parse(const Value& value, Comparison& to) {
  const auto read =
      value.kind == Value::Kind::scalar ? read_comparison(trimmed(value.text)) : std::nullopt;
  if (!read) return not_a("a number or comparison (800, \"<= 600\", 10..20)", value);
  to = *read;
  return std::nullopt;
}

std::string OptionType<Comparison>::print(const Comparison& value) {
  if (value.low == value.high) return std::to_string(value.low);
  if (value.low == lowest) return "<= " + std::to_string(value.high);
  if (value.high == highest) return ">= " + std::to_string(value.low);
  return std::to_string(value.low) + ".." + std::to_string(value.high);
}

std::string OptionType<Comparison>::schema() {
  return R"({"type":["integer","string"],"minimum":0,)"
         R"("pattern":"^ *([<>]=?)? *[0-9]+ *$|^ *[0-9]+ *\\.\\. *[0-9]+ *$"})";
}

std::string OptionType<Share>::name() { return "percentage"; }

Complaint OptionType<Share>::parse(const Value& value, Share& to) {
  const std::string what = "a percentage (such as 1%)";
  const auto* text = plain(value);
  if (!text) return not_plain(what, value);
  if (!text->ends_with('%')) return not_a(what, value);
  const auto number =
      read_number<double>(std::string_view(*text).substr(0, text->size() - 1)).number;
  if (!number) return not_a(what, value);
  if (*number < 0 || *number > 100) return "'" + *text + "' is not a percentage from 0% to 100%";
  to.percent = *number;
  return std::nullopt;
}

std::string OptionType<Share>::print(const Share& value) {
  return OptionType<double>::print(value.percent) + "%";
}

std::string OptionType<Share>::schema() {
  return R"({"type":"string","pattern":"^[0-9.]+([eE][-+]?[0-9]+)?%$"})";
}

std::string percent_text(double percent) {
  std::array<char, 32> buffer;
  for (int digits = 1; digits <= 6; ++digits) {
    std::snprintf(buffer.data(), buffer.size(), "%.*f%%", digits, percent);
    double shown = 0;
    std::sscanf(buffer.data(), "%lf", &shown);
    if (percent == 0 || shown > 0) break;
  }
  return buffer.data();
}

}  // namespace millrace::inline v1
