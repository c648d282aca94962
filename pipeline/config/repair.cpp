// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/repair.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "config/habits.hpp"
#include "config/scalars.hpp"
#include "millrace/nearest.hpp"

namespace millrace::inline v1 {
namespace {

struct Spelling {
  std::string_view written, meant;
};

// What other readers of YAML take for a truth value.
constexpr auto truths = std::to_array<Spelling>({{"yes", "true"},
                                                 {"on", "true"},
                                                 {"y", "true"},
                                                 {"1", "true"},
                                                 {"true", "true"},
                                                 {"no", "false"},
                                                 {"off", "false"},
                                                 {"n", "false"},
                                                 {"0", "false"},
                                                 {"false", "false"}});

// Units as people write them, in small letters, and ours; the option tells which of them it takes.
constexpr auto units = std::to_array<Spelling>(
    {{"px", ""},      {"pixel", ""},    {"pixels", ""},   {"dpi", ""},         {"deg", ""},
     {"degree", ""},  {"degrees", ""},  {"°", ""},        {"percent", "%"},    {"%", "%"},
     {"%", ""},       {"msec", "ms"},   {"ms", "ms"},     {"sec", "s"},        {"secs", "s"},
     {"second", "s"}, {"seconds", "s"}, {"s", "s"},       {"min", "m"},        {"mins", "m"},
     {"minute", "m"}, {"minutes", "m"}, {"m", "m"},       {"hr", "h"},         {"hrs", "h"},
     {"hour", "h"},   {"hours", "h"},   {"h", "h"},       {"b", "B"},          {"byte", "B"},
     {"bytes", "B"},  {"k", "KiB"},     {"kb", "kB"},     {"kib", "KiB"},      {"m", "MiB"},
     {"mb", "MB"},    {"mib", "MiB"},   {"g", "GiB"},     {"gb", "GB"},        {"gib", "GiB"},
     {"t", "TiB"},    {"tib", "TiB"},   {"/s", "/s"},     {"/sec", "/s"},      {"/second", "/s"},
     {"ps", "/s"},    {"/m", "/min"},   {"/min", "/min"}, {"/minute", "/min"}, {"/hour", "/h"},
     {"/hr", "/h"},   {"/h", "/h"}});

std::string small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return result;
}

std::string without(std::string_view text, std::string_view signs) {
  std::string result;
  for (const char c : text)
    if (signs.find(c) == signs.npos) result += c;
  return result;
}

class Repairing {
 public:
  Repairing(Option& option, const Value& value) : option_(option), text_(value.text) {
    const auto begin = text_.starts_with('-') ? 1U : 0U;
    const auto end = std::min(text_.find_first_not_of("0123456789.,", begin), text_.size());
    if (end > begin) number_ = text_.substr(0, end);
    unit_ = small_letters(without(text_.substr(number_.size()), " "));
  }

  bool takes(const std::string& text) const { return !option_.assign(Value::scalar(text)); }
  bool is_number_alone() const { return !number_.empty() && unit_.empty(); }
  bool has_number() const { return !number_.empty(); }
  /// Whether it is one of those numbers that need a unit.
  bool needs_unit() const {
    if (takes("1") || option_.type() == OptionType<bool>::name()) return false;
    return takes("2s") || takes("2/s") || takes("2MiB");
  }

  std::optional<std::string> truth() const {
    const auto* at = std::ranges::find(truths, small_letters(text_), &Spelling::written);
    if (at == truths.end()) return std::nullopt;
    return taken(std::string(at->meant));
  }

  std::optional<std::string> unpadded() const {
    auto text = text_;
    while (is_padded(text)) text.erase(text.find('0'), 1);
    return text == text_ ? std::nullopt : taken(text);
  }

  std::optional<std::string> with_unit() const {
    if (number_.empty()) return std::nullopt;
    if (unit_.empty()) {
      for (const char* unit : {"s", "/s"})
        if (const auto text = number_ + unit; takes(text)) return text;
      return std::nullopt;
    }
    for (const auto& [written, meant] : units)
      if (const auto text = number_ + std::string(meant); written == unit_ && takes(text))
        return text;
    return std::nullopt;
  }

  /// `1e3`, `1_000`, `+5`, `0x10`, `3.0`, `1,5`.
  std::optional<std::string> plain_number() const {
    const bool begins_as_one = text_.find_first_of("0123456789") <= 1;  // not a path with blanks
    if (begins_as_one)
      if (const auto text = taken(without(text_, "_+ '"))) return text;
    auto unquoted = text_;
    for (const std::string_view quote : {"“", "”", "„", "‘", "’"})
      for (auto at = unquoted.find(quote); at != unquoted.npos; at = unquoted.find(quote))
        unquoted.erase(at, quote.size());
    if (const auto text = taken(unquoted)) return text;
    auto point = text_;
    std::ranges::replace(point, ',', '.');
    if (point != text_)
      if (const auto text = taken(point)) return text;
    if (small_letters(text_).starts_with("0x")) {
      std::uint64_t value = 0;
      const auto* const end = text_.data() + text_.size();
      if (std::from_chars(text_.data() + 2, end, value, 16).ptr == end)
        return taken(std::to_string(value));
    }
    const auto value = read_number<double>(text_).number;
    if (!value || std::abs(*value) > 1e15 || *value != std::trunc(*value)) return std::nullopt;
    return taken(std::to_string(static_cast<std::int64_t>(*value)));
  }

  std::optional<std::string> choice() const {
    std::vector<std::string> names;
    for (const auto& [name, summary] : option_.choices()) names.push_back(name);
    const auto word = other_word_for(text_, names);
    return word ? word : nearest(text_, names);
  }

 private:
  std::optional<std::string> taken(const std::string& text) const {
    return takes(text) ? std::optional(text) : std::nullopt;
  }

  Option& option_;
  std::string text_, number_, unit_;
};

}  // namespace

Repair repair(Option& option, const Value& value, const std::string& complaint) {
  if (value.kind == Value::Kind::null) return {Code::missing_value, {}};
  if (value.kind != Value::Kind::scalar) return {Code::wrong_type, {}};
  const Repairing repairing(option, value);
  if (value.quoted && repairing.takes(value.text)) return {Code::quoted_value, value.text};
  if (!option.choices().empty()) return {Code::unknown_choice, repairing.choice()};
  const bool is_range = option.limits() && complaint.ends_with(option.allowed());
  if (is_range || complaint.find("outside") != complaint.npos) return {Code::out_of_range, {}};
  if (option.type() == OptionType<bool>::name()) {
    const auto truth = repairing.truth();
    return {truth ? Code::not_true_or_false : Code::wrong_type, truth};
  }
  if (is_padded(value.text)) return {Code::leading_zero, repairing.unpadded()};
  if (const auto text = repairing.with_unit())
    return {repairing.is_number_alone() ? Code::missing_unit : Code::unknown_unit, text};
  if (repairing.has_number() && repairing.needs_unit())
    return {repairing.is_number_alone() ? Code::missing_unit : Code::unknown_unit, {}};
  const bool is_kind =
      complaint.find("is not a") != complaint.npos || complaint.find("is quoted") != complaint.npos;
  return {is_kind ? Code::wrong_type : Code::invalid_value, repairing.plain_number()};
}

}  // namespace millrace::inline v1
