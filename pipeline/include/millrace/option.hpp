// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "millrace/value.hpp"

namespace millrace::inline v1 {

/// A length in pixels, or in percent of something that the option's summary names: `800`, `50%`.
struct Length {
  double value = 0;
  bool percent = false;
  bool operator==(const Length&) const = default;
};

/// `#rgb`, `#rrggbb`, or one of CSS's sixteen basic names.
struct Colour {
  std::uint8_t red = 255, green = 255, blue = 255;
  bool operator==(const Colour&) const = default;
};

/// A count of bytes: `4096`, `512KiB`, `16MiB`, `2GB`.
struct ByteSize {
  std::uint64_t bytes = 0;
  bool operator==(const ByteSize&) const = default;
};

using Duration = std::chrono::nanoseconds;  ///< `500ms`, `30s`, `2m`, `1h`; a unit is a must.

/// How a C++ type is written in YAML. Specialised for bool, int, std::int64_t, double, std::string,
/// Length, Colour, ByteSize, Duration, std::vector<std::string> (one scalar is a list of one), and
/// std::optional of these (absent until set).
template <class T>
struct OptionType {
  static std::string name();                                           ///< "number", "text", ...
  static std::optional<std::string> parse(const Value& value, T& to);  ///< A complaint, or none.
  static std::string print(const T& value);                            ///< parse() reads it back.
  static std::optional<double> number(const T& value);                 ///< What range() compares.
  /// A JSON Schema (draft 07) of what parse() takes, for editors. A type of one's own may leave it
  /// out: editors then take anything.
  static std::string schema();
};

template <class T>
struct OptionType<std::optional<T>> {
  static std::string name() { return OptionType<T>::name(); }
  static std::optional<std::string> parse(const Value& value, std::optional<T>& to) {
    T present{};
    auto complaint = OptionType<T>::parse(value, present);
    if (!complaint) to = std::move(present);
    return complaint;
  }
  static std::string print(const std::optional<T>& value) {
    return value ? OptionType<T>::print(*value) : std::string();
  }
  static std::optional<double> number(const std::optional<T>& value) {
    return value ? OptionType<T>::number(*value) : std::nullopt;
  }
  static std::string schema() requires requires { OptionType<T>::schema(); }
  { return OptionType<T>::schema(); }
};

/// One spelling of an enumeration.
template <class E>
struct Choice {
  std::string name;
  E value;
  std::string summary;
};

/// One setting of a stage: the only declaration of its name, type, default, range and summary, from
/// which checking, help, schema and reference pages are made.
class Option {
 public:
  Option& unit(std::string unit);
  Option& range(double low, double high);  ///< Inclusive; for a list, of each element.
  Option& required();
  Option& example(std::string value);  ///< As it may be written; shown where the stage is.

  const std::string& name() const { return name_; }
  const std::string& summary() const { return summary_; }
  const std::string& type() const { return type_; }
  const std::string& unit() const { return unit_; }
  const std::string& default_text() const { return default_; }  ///< "" where there is none.
  std::optional<std::pair<double, double>> limits() const { return range_; }
  const std::vector<std::pair<std::string, std::string>>& choices() const { return choices_; }
  bool is_required() const { return required_; }
  const std::string& example() const { return example_; }
  /// A JSON Schema of the type alone, without range and choices.
  std::string schema() const { return schema_ ? schema_() : "{}"; }

  /// What may be written: "0..45 degrees", "inside | outside | cover".
  std::string allowed() const;

  /// Sets the stage's member, or says why not ("90 is outside 0..45 degrees").
  std::optional<std::string> assign(const Value& value);

  /// The member's present value as it would be written.
  std::string print() const { return print_(); }

 private:
  friend class Options;
  using Parse = std::function<std::optional<std::string>(const Value&)>;
  using Schema = std::string (*)();

  std::string name_, summary_, type_, unit_, default_, example_;
  std::optional<std::pair<double, double>> range_;
  std::vector<std::pair<std::string, std::string>> choices_;
  bool required_ = false;
  Parse parse_;
  std::function<std::string()> print_;
  std::function<std::optional<double>()> number_;
  Schema schema_ = nullptr;
};

/// The settings of one stage object, bound to its members; lives no longer than that object.
class Options {
 public:
  /// `member` holds the default now and the value after assign().
  template <class T>
  Option& add(std::string name, T& member, std::string summary) {
    Option& option = add(
        std::move(name), std::move(summary), OptionType<T>::name(),
        [&member](const Value& value) { return OptionType<T>::parse(value, member); },
        [&member] { return OptionType<T>::print(member); },
        [&member] { return OptionType<T>::number(member); });
    if constexpr (requires { OptionType<T>::schema(); })
      option.schema_ = [] { return OptionType<T>::schema(); };
    return option;
  }

  template <class E>
  Option& add(std::string name, E& member, std::vector<Choice<E>> choices, std::string summary);

  const std::deque<Option>& all() const { return options_; }
  Option* find(std::string_view name);

 private:
  Option& add(std::string name, std::string summary, std::string type, Option::Parse parse,
              std::function<std::string()> print, std::function<std::optional<double>()> number);
  static std::optional<std::string> parse_choice(
      const Value& value, const std::vector<std::pair<std::string, std::string>>& choices,
      std::size_t& chosen);

  std::deque<Option> options_;  // a deque: add() hands out references
};

template <class E>
Option& Options::add(std::string name, E& member, std::vector<Choice<E>> choices,
                     std::string summary) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& choice : choices) names.emplace_back(choice.name, choice.summary);
  auto parse = [&member, choices, names](const Value& value) {
    std::size_t chosen = 0;
    auto complaint = parse_choice(value, names, chosen);
    if (!complaint) member = choices[chosen].value;
    return complaint;
  };
  auto print = [&member, choices] {
    for (const auto& choice : choices)
      if (choice.value == member) return choice.name;
    return std::string();
  };
  Option& option = add(std::move(name), std::move(summary), "choice", std::move(parse),
                       std::move(print), [] { return std::optional<double>(); });
  option.choices_ = std::move(names);
  option.schema_ = [] { return std::string(R"({"type":"string"})"); };
  return option;
}

}  // namespace millrace::inline v1
