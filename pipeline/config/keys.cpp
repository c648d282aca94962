// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/keys.hpp"

#include <algorithm>
#include <cctype>

#include "millrace/nearest.hpp"

namespace millrace::inline v1 {

const Value::Entry* find_key(const Value& map, std::string_view key) {
  const auto at = std::ranges::find(map.entries, key, &Value::Entry::key);
  return at != map.entries.end() ? &*at : nullptr;
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const auto inner = [&](char c) {
    return letter(c) || c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0;
  };
  return !text.empty() && letter(text[0]) && std::ranges::all_of(text, inner);
}

void check_keys(const Value& map, const std::vector<std::string>& known, const std::string& owner,
                Diagnostics& diagnostics) {
  for (const auto& entry : map.entries) {
    if (std::ranges::find(known, entry.key) != known.end()) continue;
    auto hint = did_you_mean(entry.key, known);
    if (hint.empty()) hint = "the keys are " + join(known, "and");
    diagnostics.error(entry, "unknown key " + quote(entry.key) + " " + owner, std::move(hint));
  }
}

namespace {

/// Whether it is only the quotes that keep an option from taking a value.
bool is_only_quoted(Option& option, Value value) {
  if (value.kind != Value::Kind::scalar || !value.quoted) return false;
  value.quoted = false;
  return !option.assign(value);
}

}  // namespace

bool assign(Option& option, const Value::Entry& entry, Diagnostics& diagnostics) {
  if (entry.value.broken) return false;
  const auto broken = [](const Value& item) { return item.broken; };
  if (std::ranges::any_of(entry.value.items, broken)) return false;
  const auto complaint = option.assign(entry.value);
  if (!complaint) return true;
  std::string hint;
  std::vector<std::string> choices;
  for (const auto& choice : option.choices()) choices.push_back(choice.first);
  hint = did_you_mean(entry.value.text, choices);
  const auto allowed = option.allowed();
  if (is_only_quoted(option, entry.value))
    hint = "write " + entry.key + ": " + entry.value.text;
  else if (hint.empty() && choices.empty() && complaint->find(allowed) == complaint->npos)
    hint = "allowed: " + allowed;
  diagnostics.error(entry.value, option.name() + ": " + *complaint, std::move(hint));
  return false;
}

std::vector<std::string> names_of(const Options& options) {
  std::vector<std::string> names;
  for (const auto& option : options.all()) names.push_back(option.name());
  return names;
}

}  // namespace millrace::inline v1
