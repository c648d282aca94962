// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/keys.hpp"

#include <algorithm>
#include <cctype>

#include "config/repair.hpp"
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
    Advice hint = suggest(entry.key, known);
    if (hint.empty()) hint = "the keys are " + join(known, "and");
    diagnostics.error(Code::unknown_key, entry, "unknown key " + quote(entry.key) + " " + owner,
                      std::move(hint));
  }
}

bool assign(Option& option, const Value::Entry& entry, Diagnostics& diagnostics) {
  const Value& value = entry.value;
  if (value.broken) return false;
  const auto broken = [](const Value& item) { return item.broken; };
  if (std::ranges::any_of(value.items, broken)) return false;
  const auto complaint = option.assign(value);
  if (!complaint) return true;
  auto [code, text] = repair(option, value, *complaint);
  const auto allowed = option.allowed();
  Advice advice;
  if (text && value.expanded) {
    advice = "this comes of a variable; give it " + *text;
  } else if (text) {
    advice = {code == Code::unknown_choice ? "did you mean " + quote(*text) + "?"
                                           : "write " + entry.key + ": " + *text,
              std::move(*text)};
  } else if (option.choices().empty() && complaint->find(allowed) == complaint->npos) {
    advice = "allowed: " + allowed;
  }
  diagnostics.error(code, value, option.name() + ": " + *complaint, std::move(advice));
  return false;
}

std::vector<std::string> names_of(const Options& options) {
  std::vector<std::string> names;
  for (const auto& option : options.all()) names.push_back(option.name());
  return names;
}

}  // namespace millrace::inline v1
