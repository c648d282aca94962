// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/option.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace millrace::inline v1 {
namespace {

using Complaint = std::optional<std::string>;

Complaint not_a(const std::string& what, const Value& value) {
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

/// A plain (unquoted) scalar's text.
const std::string* plain(const Value& value) {
  return value.kind == Value::Kind::scalar && !value.quoted ? &value.text : nullptr;
}

/// The whole text as a decimal number: no hexadecimal, no infinity, no surrounding space.
std::optional<double> decimal(std::string_view text) {
  double number = 0;
  const auto end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

struct Unit {
  std::string_view name;
  double factor;
};

/// `12.5ms`: a number that one of the units follows at once.
template <std::size_t N>
std::optional<double> with_unit(std::string_view text, const std::array<Unit, N>& units) {
  const auto split = text.find_first_not_of("0123456789.");
  const auto number = decimal(text.substr(0, split));
  const auto name = split == text.npos ? std::string_view() : text.substr(split);
  const auto unit = std::ranges::find(units, name, &Unit::name);
  if (!number || unit == units.end()) return std::nullopt;
  return *number * unit->factor;
}

constexpr std::array<Unit, 9> byte_units{{{"", 1},
                                          {"B", 1},
                                          {"kB", 1e3},
                                          {"KiB", 1024},
                                          {"MB", 1e6},
                                          {"MiB", 1048576},
                                          {"GB", 1e9},
                                          {"GiB", 1073741824},
                                          {"TiB", 1099511627776}}};
constexpr std::array<Unit, 6> time_units{
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}}};

std::string shortest(double number) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), end};
}

template <class Int>
Complaint parse_integer(const Value& value, Int& to) {
  const auto* text = plain(value);
  if (!text) return not_a("a whole number", value);
  Int number = 0;
  const auto end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  const auto digits = text->find_first_not_of('-');
  const bool octal = digits != text->npos && text->size() > digits + 1 && (*text)[digits] == '0';
  if (error != std::errc() || stop != end || octal) return not_a("a whole number", value);
  to = number;
  return std::nullopt;
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

struct NamedColour {
  std::string_view name;
  Colour colour;
};

// CSS Color Module Level 3, section 4.1
constexpr std::array<NamedColour, 16> basic_colours{{{"black", {0, 0, 0}},
                                                     {"silver", {192, 192, 192}},
                                                     {"gray", {128, 128, 128}},
                                                     {"white", {255, 255, 255}},
                                                     {"maroon", {128, 0, 0}},
                                                     {"red", {255, 0, 0}},
                                                     {"purple", {128, 0, 128}},
                                                     {"fuchsia", {255, 0, 255}},
                                                     {"green", {0, 128, 0}},
                                                     {"lime", {0, 255, 0}},
                                                     {"olive", {128, 128, 0}},
                                                     {"yellow", {255, 255, 0}},
                                                     {"navy", {0, 0, 128}},
                                                     {"blue", {0, 0, 255}},
                                                     {"teal", {0, 128, 128}},
                                                     {"aqua", {0, 255, 255}}}};

}  // namespace

template <>
std::string OptionType<bool>::name() {
  return "true or false";
}
template <>
Complaint OptionType<bool>::parse(const Value& value, bool& to) {
  const auto* text = plain(value);
  if (!text || (*text != "true" && *text != "false")) return not_a("true or false", value);
  to = *text == "true";
  return std::nullopt;
}
template <>
std::string OptionType<bool>::print(const bool& value) {
  return value ? "true" : "false";
}
template <>
std::optional<double> OptionType<bool>::number(const bool&) {
  return std::nullopt;
}

template <>
std::string OptionType<int>::name() {
  return "whole number";
}
template <>
Complaint OptionType<int>::parse(const Value& value, int& to) {
  return parse_integer(value, to);
}
template <>
std::string OptionType<int>::print(const int& value) {
  return std::to_string(value);
}
template <>
std::optional<double> OptionType<int>::number(const int& value) {
  return value;
}

template <>
std::string OptionType<std::int64_t>::name() {
  return "whole number";
}
template <>
Complaint OptionType<std::int64_t>::parse(const Value& value, std::int64_t& to) {
  return parse_integer(value, to);
}
template <>
std::string OptionType<std::int64_t>::print(const std::int64_t& value) {
  return std::to_string(value);
}
template <>
std::optional<double> OptionType<std::int64_t>::number(const std::int64_t& value) {
  return static_cast<double>(value);
}

template <>
std::string OptionType<double>::name() {
  return "number";
}
template <>
Complaint OptionType<double>::parse(const Value& value, double& to) {
  const auto* text = plain(value);
  const auto number = text ? decimal(*text) : std::nullopt;
  if (!number) return not_a("a number", value);
  to = *number;
  return std::nullopt;
}
template <>
std::string OptionType<double>::print(const double& value) {
  return shortest(value);
}
template <>
std::optional<double> OptionType<double>::number(const double& value) {
  return value;
}

template <>
std::string OptionType<std::string>::name() {
  return "text";
}
template <>
Complaint OptionType<std::string>::parse(const Value& value, std::string& to) {
  if (value.kind != Value::Kind::scalar) return not_a("text", value);
  to = value.text;
  return std::nullopt;
}
template <>
std::string OptionType<std::string>::print(const std::string& value) {
  return value;
}
template <>
std::optional<double> OptionType<std::string>::number(const std::string&) {
  return std::nullopt;
}

template <>
std::string OptionType<Length>::name() {
  return "pixels or percent";
}
template <>
Complaint OptionType<Length>::parse(const Value& value, Length& to) {
  const auto* text = plain(value);
  if (!text) return not_a("a count of pixels or a percentage", value);
  const bool percent = text->ends_with('%');
  const auto number = decimal(std::string_view(*text).substr(0, text->size() - (percent ? 1 : 0)));
  if (!number) return not_a("a count of pixels or a percentage", value);
  to = {*number, percent};
  return std::nullopt;
}
template <>
std::string OptionType<Length>::print(const Length& value) {
  return shortest(value.value) + (value.percent ? "%" : "");
}
template <>
std::optional<double> OptionType<Length>::number(const Length& value) {
  return value.value;
}

template <>
std::string OptionType<Colour>::name() {
  return "colour";
}
template <>
Complaint OptionType<Colour>::parse(const Value& value, Colour& to) {
  const std::string what = "a colour (#rgb, #rrggbb or one of the 16 basic names, such as white)";
  if (value.kind != Value::Kind::scalar) return not_a(what, value);
  const auto& text = value.text;
  const auto named = std::ranges::find(basic_colours, text, &NamedColour::name);
  if (named != basic_colours.end()) {
    to = named->colour;
    return std::nullopt;
  }
  const bool is_short = text.size() == 4;
  if (!text.starts_with('#') || (!is_short && text.size() != 7) ||
      !std::all_of(text.begin() + 1, text.end(), [](char c) { return hex(c) >= 0; }))
    return not_a(what, value);
  const auto channel = [&](std::size_t i) {
    return static_cast<std::uint8_t>(is_short ? hex(text[1 + i]) * 17
                                              : hex(text[1 + 2 * i]) * 16 + hex(text[2 + 2 * i]));
  };
  to = {channel(0), channel(1), channel(2)};
  return std::nullopt;
}
template <>
std::string OptionType<Colour>::print(const Colour& value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "#";
  for (const auto channel : {value.red, value.green, value.blue}) {
    text += digits[channel >> 4];
    text += digits[channel & 15];
  }
  return text;
}
template <>
std::optional<double> OptionType<Colour>::number(const Colour&) {
  return std::nullopt;
}

template <>
std::string OptionType<ByteSize>::name() {
  return "size in bytes";
}
template <>
Complaint OptionType<ByteSize>::parse(const Value& value, ByteSize& to) {
  const auto* text = plain(value);
  const auto bytes = text ? with_unit(*text, byte_units) : std::nullopt;
  if (!bytes || *bytes >= 0x1p63)
    return not_a("a size in bytes (such as 512KiB, 16MiB, 2GB)", value);
  to.bytes = static_cast<std::uint64_t>(*bytes);
  return std::nullopt;
}
template <>
std::string OptionType<ByteSize>::print(const ByteSize& value) {
  constexpr std::array<std::pair<std::uint64_t, const char*>, 3> units{
      {{1073741824, "GiB"}, {1048576, "MiB"}, {1024, "KiB"}}};
  for (const auto& [factor, name] : units)
    if (value.bytes != 0 && value.bytes % factor == 0)
      return std::to_string(value.bytes / factor) + name;
  return std::to_string(value.bytes);
}
template <>
std::optional<double> OptionType<ByteSize>::number(const ByteSize& value) {
  return static_cast<double>(value.bytes);
}

template <>
std::string OptionType<Duration>::name() {
  return "duration";
}
template <>
Complaint OptionType<Duration>::parse(const Value& value, Duration& to) {
  const auto* text = plain(value);
  const auto nanoseconds = text ? with_unit(*text, time_units) : std::nullopt;
  if (!nanoseconds || *nanoseconds >= 0x1p63)
    return not_a("a duration with its unit (such as 500ms, 30s, 2m, 1h)", value);
  to = Duration(static_cast<Duration::rep>(*nanoseconds));
  return std::nullopt;
}
template <>
std::string OptionType<Duration>::print(const Duration& value) {
  for (auto unit = time_units.rbegin(); unit != time_units.rend(); ++unit) {
    const auto factor = static_cast<Duration::rep>(unit->factor);
    if (value.count() % factor == 0 && (value.count() != 0 || unit->name == "s"))
      return std::to_string(value.count() / factor) + std::string(unit->name);
  }
  return "0s";
}
template <>
std::optional<double> OptionType<Duration>::number(const Duration& value) {
  return static_cast<double>(value.count()) / 1e9;
}

template <>
std::string OptionType<std::vector<std::string>>::name() {
  return "list of texts";
}
template <>
Complaint OptionType<std::vector<std::string>>::parse(const Value& value,
                                                      std::vector<std::string>& to) {
  std::vector<std::string> list;
  if (value.kind == Value::Kind::scalar)
    list.push_back(value.text);
  else if (value.kind != Value::Kind::list)
    return not_a("a list of texts", value);
  for (const auto& item : value.items) {
    if (item.kind != Value::Kind::scalar) return not_a("text", item);
    list.push_back(item.text);
  }
  to = std::move(list);
  return std::nullopt;
}
template <>
std::string OptionType<std::vector<std::string>>::print(const std::vector<std::string>& value) {
  std::string text = "[";
  for (const auto& item : value) text += (text.size() > 1 ? ", " : "") + item;
  return text + "]";
}
template <>
std::optional<double> OptionType<std::vector<std::string>>::number(
    const std::vector<std::string>&) {
  return std::nullopt;
}

Option& Option::unit(std::string unit) {
  unit_ = std::move(unit);
  return *this;
}

Option& Option::range(double low, double high) {
  range_.emplace(low, high);
  return *this;
}

Option& Option::required() {
  required_ = true;
  default_.clear();
  return *this;
}

std::string Option::allowed() const {
  std::string text;
  if (range_)
    text = shortest(range_->first) + ".." + shortest(range_->second);
  else if (choices_.empty())
    text = type_;
  for (const auto& choice : choices_) text += (text.empty() ? "" : " | ") + choice.first;
  return unit_.empty() || (!range_ && !choices_.empty()) ? text : text + " " + unit_;
}

std::optional<std::string> Option::assign(const Value& value) {
  if (auto complaint = parse_(value)) return complaint;
  const auto number = number_();
  if (range_ && number && !(*number >= range_->first && *number <= range_->second))
    return print() + " is outside " + allowed();
  return std::nullopt;
}

Option* Options::find(std::string_view name) {
  const auto at = std::ranges::find(options_, name, &Option::name);
  return at != options_.end() ? &*at : nullptr;
}

Option& Options::add(std::string name, std::string summary, std::string type, Option::Parse parse,
                     std::function<std::string()> print,
                     std::function<std::optional<double>()> number) {
  Option& option = options_.emplace_back();
  option.name_ = std::move(name);
  option.summary_ = std::move(summary);
  option.type_ = std::move(type);
  option.parse_ = std::move(parse);
  option.print_ = std::move(print);
  option.number_ = std::move(number);
  option.default_ = option.print_();
  return option;
}

std::optional<std::string> Options::parse_choice(
    const Value& value, const std::vector<std::pair<std::string, std::string>>& choices,
    std::size_t& chosen) {
  std::string names;
  for (const auto& choice : choices) names += (names.empty() ? "" : ", ") + choice.first;
  if (value.kind == Value::Kind::scalar)
    for (chosen = 0; chosen < choices.size(); ++chosen)
      if (choices[chosen].first == value.text) return std::nullopt;
  return not_a("one of " + names, value);
}

}  // namespace millrace::inline v1
