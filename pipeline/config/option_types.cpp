// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "config/scalars.hpp"
#include "millrace/option.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::array<Unit, 9> byte_units{{{"", 1},
                                          {"B", 1},
                                          {"kB", 1000},
                                          {"KiB", 1024},
                                          {"MB", 1000000},
                                          {"MiB", 1048576},
                                          {"GB", 1000000000},
                                          {"GiB", 1073741824},
                                          {"TiB", 1099511627776}}};
constexpr std::array<Unit, 6> time_units{{{"ns", 1},
                                          {"us", 1000},
                                          {"ms", 1000000},
                                          {"s", 1000000000},
                                          {"m", 60000000000},
                                          {"h", 3600000000000}}};

std::string shortest(double number) {
  if (std::abs(number) < 1e15 && number == std::trunc(number))
    return std::to_string(static_cast<std::int64_t>(number));
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), end};
}

/// `(ns|us|ms)`, for a pattern.
template <std::size_t N>
std::string one_of(const std::array<Unit, N>& units) {
  std::string names;
  for (const auto& unit : units)
    if (!unit.name.empty()) names += (names.empty() ? "" : "|") + std::string(unit.name);
  return "(" + names + ")";
}

std::string not_text(const Value& value) {
  auto complaint = not_a("text", value);
  if (value.kind == Value::Kind::list) complaint += "; quote a text that begins with '['";
  if (value.kind == Value::Kind::map) complaint += "; quote a text that begins with '{'";
  return complaint;
}

/// Quoted where YAML would not read it back as this text in a list.
std::string list_item(const std::string& text) {
  const bool plain_enough =
      !text.empty() && text != "~" && text != "null" &&
      std::ranges::all_of(text, [](unsigned char c) {
        return std::isalnum(c) != 0 || c >= 0x80 || c == '_' || c == '.' || c == '/';
      });
  if (plain_enough) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20)
      quoted += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
    else
      quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  }
  return quoted + "\"";
}

}  // namespace

template <>
std::string OptionType<bool>::name() {
  return "true or false";
}
template <>
Complaint OptionType<bool>::parse(const Value& value, bool& to) {
  const auto* text = plain(value);
  if (!text) return not_plain("true or false", value);
  if (*text == "true" || *text == "false") {
    to = *text == "true";
    return std::nullopt;
  }
  // What other readers of YAML take for a truth value.
  for (const std::string_view word : {"yes", "on", "True", "TRUE", "Yes", "On", "y", "1"})
    if (*text == word) return "'" + *text + "' is not true or false; write true";
  for (const std::string_view word : {"no", "off", "False", "FALSE", "No", "Off", "n", "0"})
    if (*text == word) return "'" + *text + "' is not true or false; write false";
  return not_a("true or false", value);
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
std::string OptionType<bool>::schema() {
  return R"({"type":"boolean"})";
}

template <>
std::string OptionType<int>::name() {
  return "whole number";
}
template <>
Complaint OptionType<int>::parse(const Value& value, int& to) {
  return parse_number("a whole number", value, to);
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
std::string OptionType<int>::schema() {
  return R"({"type":"integer"})";
}

template <>
std::string OptionType<std::int64_t>::name() {
  return "whole number";
}
template <>
Complaint OptionType<std::int64_t>::parse(const Value& value, std::int64_t& to) {
  return parse_number("a whole number", value, to);
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
std::string OptionType<std::int64_t>::schema() {
  return R"({"type":"integer"})";
}

template <>
std::string OptionType<double>::name() {
  return "number";
}
template <>
Complaint OptionType<double>::parse(const Value& value, double& to) {
  return parse_number("a number", value, to);
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
std::string OptionType<double>::schema() {
  return R"({"type":"number"})";
}

template <>
std::string OptionType<std::string>::name() {
  return "text";
}
template <>
Complaint OptionType<std::string>::parse(const Value& value, std::string& to) {
  if (value.kind != Value::Kind::scalar) return not_text(value);
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
std::string OptionType<std::string>::schema() {
  return R"({"type":["string","number","boolean"]})";  // 7 is a text where one is wanted
}

template <>
std::string OptionType<Length>::name() {
  return "pixels or percent";
}
template <>
Complaint OptionType<Length>::parse(const Value& value, Length& to) {
  const std::string what = "a count of pixels or a percentage";
  const auto* text = plain(value);
  if (!text) return not_plain(what, value);
  const bool percent = text->ends_with('%');
  const auto digits = std::string_view(*text).substr(0, text->size() - (percent ? 1 : 0));
  const auto number = read_number<double>(digits).number;
  if (!number) return not_a(what, value);
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
std::string OptionType<Length>::schema() {
  return R"({"type":["number","string"],"pattern":"^-?[0-9.]+([eE][-+]?[0-9]+)?%$"})";
}

template <>
std::string OptionType<ByteSize>::name() {
  return "size in bytes";
}
template <>
Complaint OptionType<ByteSize>::parse(const Value& value, ByteSize& to) {
  const std::string what = "a size in bytes (such as 512KiB, 16MiB, 2GB)";
  const auto* text = plain(value);
  if (!text) return not_plain(what, value);
  const auto bytes = with_unit(*text, byte_units);
  if (!bytes) return not_a(what, value);
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
std::string OptionType<ByteSize>::schema() {
  return R"({"type":["number","string"],"minimum":0,"pattern":"^[0-9.]+)" + one_of(byte_units) +
         R"($"})";
}

template <>
std::string OptionType<Duration>::name() {
  return "duration";
}
template <>
Complaint OptionType<Duration>::parse(const Value& value, Duration& to) {
  const std::string what = "a duration with its unit (such as 500ms, 30s, 2m, 1h)";
  const auto* text = plain(value);
  if (!text) return not_plain(what, value);
  const auto nanoseconds = with_unit(*text, time_units);
  if (!nanoseconds) return not_a(what, value);
  to = Duration(*nanoseconds);
  return std::nullopt;
}
template <>
std::string OptionType<Duration>::print(const Duration& value) {
  for (auto unit = time_units.rbegin(); unit != time_units.rend(); ++unit) {
    if (value.count() % unit->factor == 0 && (value.count() != 0 || unit->name == "s"))
      return std::to_string(value.count() / unit->factor) + std::string(unit->name);
  }
  return "0s";
}
template <>
std::optional<double> OptionType<Duration>::number(const Duration& value) {
  return static_cast<double>(value.count()) / 1e9;
}
template <>
std::string OptionType<Duration>::schema() {
  return R"({"type":"string","pattern":"^[0-9.]+)" + one_of(time_units) + R"($"})";
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
    if (item.kind != Value::Kind::scalar) return "in the list, " + not_text(item);
    list.push_back(item.text);
  }
  to = std::move(list);
  return std::nullopt;
}
template <>
std::string OptionType<std::vector<std::string>>::print(const std::vector<std::string>& value) {
  std::string text = "[";
  for (const auto& item : value) text += (text.size() > 1 ? ", " : "") + list_item(item);
  return text + "]";
}
template <>
std::optional<double> OptionType<std::vector<std::string>>::number(
    const std::vector<std::string>&) {
  return std::nullopt;
}
template <>
std::string OptionType<std::vector<std::string>>::schema() {
  return R"({"type":["array","string","number","boolean"],)"
         R"("items":{"type":["string","number","boolean"]}})";
}

}  // namespace millrace::inline v1
