// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/abi/values.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "config/diagnostics.hpp"
#include "millrace/error.hpp"

namespace millrace::abi {
namespace {

OptionValues::Any empty_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::integer:
      return std::optional<std::int64_t>();
    case OptionKind::number:
      return std::optional<double>();
    case OptionKind::boolean:
      return std::optional<bool>();
    case OptionKind::string:
      return std::optional<std::string>();
    case OptionKind::array:
      return std::optional<OptionValues::Texts>();
  }
  throw Error(ErrorKind::internal, "unknown kind of option");
}

Option& add_typed(Options& options, const OptionSpec& spec, OptionValues::Any& value) {
  using Choosable = std::optional<std::string>;
  if (!spec.choices.empty()) {
    std::vector<Choice<Choosable>> choices;
    for (const auto& choice : spec.choices) choices.push_back({choice, choice, {}});
    return options.add<Choosable>(spec.name, std::get<Choosable>(value), std::move(choices),
                                  spec.description);
  }
  return std::visit(
      [&](auto& member) -> Option& { return options.add(spec.name, member, spec.description); },
      value);
}

Option& add(Options& options, const OptionSpec& spec, OptionValues::Any& value) {
  Option& option = add_typed(options, spec, value);
  option.unit(spec.unit);
  if (std::isfinite(spec.minimum) || std::isfinite(spec.maximum))
    option.range(spec.minimum, spec.maximum);
  return option;
}

std::string json_of(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20)
      json += std::string("\\u00") + digits[byte >> 4] + digits[byte & 15];
    else
      json += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  }
  return json + "\"";
}
std::string json_of(const OptionValues::Texts& texts) {
  std::string json;
  for (const auto& text : texts) json += (json.empty() ? "" : ", ") + json_of(text);
  return "[" + json + "]";
}
template <class T>
requires std::is_arithmetic_v<T> std::string json_of(T value) {
  return OptionType<T>::print(value);
}

}  // namespace

OptionValues::OptionValues(const std::vector<OptionSpec>& specs) : specs_(specs) {
  for (const auto& spec : specs) {
    Options options;
    Option& option = add(options, spec, values_.emplace_back(empty_of(spec.kind)));
    if (spec.preset.kind == Value::Kind::null) continue;
    if (const auto complaint = option.assign(spec.preset))
      throw Error(ErrorKind::plugin, spec.name + ": its default is wrong: " + *complaint);
  }
}

void OptionValues::declare(Options& options) {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    Option& option = add(options, specs_[i], values_[i]);
    if (specs_[i].required) option.required();
  }
}

const OptionValues::Any* OptionValues::find(std::string_view name) const {
  const auto at = std::ranges::find(specs_, name, &OptionSpec::name);
  return at != specs_.end() ? &values_[static_cast<std::size_t>(at - specs_.begin())] : nullptr;
}

OptionValues::Texts OptionValues::names() const {
  Texts names;
  for (const auto& spec : specs_) names.push_back(spec.name);
  return names;
}

const OptionValues::ForC& OptionValues::for_c() const {
  std::call_once(once_, [this] {
    std::string json;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      std::visit(
          [&](const auto& value) {
            if (value)
              json += (json.empty() ? "" : ", ") + json_of(specs_[i].name) + ": " + json_of(*value);
          },
          values_[i]);
      const auto* texts = std::get_if<std::optional<Texts>>(&values_[i]);
      if (!texts || !*texts) continue;
      auto& list = for_c_.lists[&values_[i]];
      for (const auto& text : **texts) list.push_back(text.c_str());
    }
    for_c_.json = "{" + json + "}";
  });
  return for_c_;
}

}  // namespace millrace::abi
