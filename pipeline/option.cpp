// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/option.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "config/scalars.hpp"

namespace millrace::inline v1 {

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

Option& Option::example(std::string value) {
  example_ = std::move(value);
  return *this;
}

std::string Option::allowed() const {
  constexpr double none = std::numeric_limits<double>::infinity();
  std::string text;
  if (range_) {
    const auto [low, high] = *range_;
    const auto number = [](double limit) { return OptionType<double>::print(limit); };
    text = high == none   ? number(low)
           : low == -none ? number(high)
                          : number(low) + ".." + number(high);
    if (!unit_.empty()) text += " " + unit_;
    if (high == none || low == -none) text += high == none ? " or more" : " or less";
    return text;
  }
  for (const auto& choice : choices_) text += (text.empty() ? "" : " | ") + choice.first;
  if (!choices_.empty()) return text;
  return unit_.empty() ? type_ : type_ + " " + unit_;
}

std::optional<std::string> Option::assign(const Value& value) {
  if (auto complaint = parse_(value)) return complaint;
  const auto number = number_();
  if (!range_ || !number || (*number >= range_->first && *number <= range_->second))
    return std::nullopt;
  const bool bounded = std::isfinite(range_->first) && std::isfinite(range_->second);
  return print() + (bounded ? " is outside " : " is not ") + allowed();
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
