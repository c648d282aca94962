// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/keys.hpp"

#include <algorithm>
#include <cctype>

#include "config/habits.hpp"
#include "config/repair.hpp"

namespace millrace::inline v1 {
namespace {

/// Of `$size`, `{size}` and `$(size)`; "" of everything else.
std::string variable_meant(std::string_view text) {
  if (!text.starts_with('$') && !text.starts_with('{')) return {};
  text.remove_prefix(std::min(text.find_first_not_of("${("), text.size()));
  if (text.ends_with('}') || text.ends_with(')')) text.remove_suffix(1);
  return is_name(text) ? std::string(text) : std::string();
}

}  // namespace

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

bool tell_missing_colon(const Value::Entry& entry, Diagnostics& diagnostics) {
  const auto& key = entry.key;
  if (entry.length != static_cast<int>(key.size())) return false;  // it is quoted: a name
  const auto end = key.find_first_of(": ");
  if (end == key.npos || !is_name(key.substr(0, end)) || end + 1 == key.size()) return false;
  const auto name = key.substr(0, end);
  const Position place{entry.where.line, entry.where.column + static_cast<int>(end)};
  if (key[end] == ':')
    diagnostics.error(
        Code::missing_blank, place, 1, "there is no blank behind this ':'",
        "write " + name + ": " + key.substr(end + 1) + (key[end + 1] == '{' ? ": ... }" : ""));
  else if (key[end + 1] == '{')
    diagnostics.error(Code::missing_blank, place, 1, "there is no ':' behind " + quote(name),
                      "write " + name + ": { ... }");
  else
    return false;
  return true;
}

void tell_no_colon(const std::string& key, Position behind, Diagnostics& diagnostics) {
  Advice advice("write " + key + ":");
  advice.fix = Fix{behind, 0, ":"};
  diagnostics.error(Code::missing_blank, behind, 1, "there is no ':' behind " + quote(key),
                    std::move(advice));
}

/// `workers 2`, which YAML takes for a key without a value.
static bool tell_value_in_key(const Value::Entry& entry, const std::vector<std::string>& known,
                              Diagnostics& diagnostics) {
  const auto end = entry.key.find(' ');
  const auto name = entry.key.substr(0, end);
  if (end == entry.key.npos || entry.length != static_cast<int>(entry.key.size()) ||
      entry.value.kind != Value::Kind::null || std::ranges::count(known, name) == 0)
    return false;
  const auto column = entry.where.column + static_cast<int>(end);
  tell_no_colon(name, {entry.where.line, column}, diagnostics);
  return true;
}

const Value::Entry* find_meant(const Value& map, std::string_view key,
                               const std::vector<std::string>& known) {
  if (const auto* entry = find_key(map, key)) return entry;
  for (const auto& entry : map.entries) {
    if (std::ranges::find(known, entry.key) != known.end()) continue;
    const auto advice = suggest(entry.key, known);
    if (advice.fix && advice.fix->text == key) return &entry;
  }
  return nullptr;
}

void check_keys(const Value& map, const std::vector<std::string>& known, const std::string& owner,
                Diagnostics& diagnostics,
                const std::function<std::string(const std::string&)>& place_of) {
  for (const auto& entry : map.entries) {
    if (std::ranges::find(known, entry.key) != known.end()) continue;
    if (tell_missing_colon(entry, diagnostics)) continue;
    if (tell_value_in_key(entry, known, diagnostics)) continue;
    Advice advice = suggest(entry.key, known);
    if (advice.fix && find_key(map, advice.fix->text)) advice.fix.reset();
    const auto elsewhere = advice.empty() && place_of ? place_of(entry.key) : std::string();
    if (!elsewhere.empty())
      advice = elsewhere;
    else if (advice.empty())
      advice = "the keys are " + join(known, "and");
    diagnostics.error(elsewhere.empty() ? Code::unknown_key : Code::misplaced_key, entry,
                      "unknown key " + quote(entry.key) + " " + owner, std::move(advice));
  }
}

bool has_own_paths(const Value& value, Diagnostics& diagnostics) {
  bool all_own = true;
  for (const auto& item : value.items) all_own = has_own_paths(item, diagnostics) && all_own;
  if (value.kind != Value::Kind::scalar) return all_own;
  auto foreign = foreign_path(value.text);
  if (!foreign) return true;
  Advice advice(foreign->hint);
  if (foreign->text) advice = {foreign->hint, *foreign->text};
  diagnostics.error(foreign->code, value, foreign->why, std::move(advice));
  return false;
}

bool assign(Option& option, const Value::Entry& entry, Diagnostics& diagnostics) {
  const Value& value = entry.value;
  if (value.broken) return false;
  const auto broken = [](const Value& item) { return item.broken; };
  if (std::ranges::any_of(value.items, broken)) return false;
  const auto complaint = option.assign(value);
  if (!complaint) return has_own_paths(value, diagnostics);
  auto [code, text] = repair(option, value, *complaint);
  const auto allowed = option.allowed();
  Advice advice;
  if (text && value.expanded()) {
    advice = "this comes of a variable; give it " + *text;
  } else if (text) {
    const std::string hint = code == Code::unknown_choice ? "did you mean " + quote(*text) + "?"
                             : code == Code::leading_zero ? "a number does not begin with 0"
                                                          : "";
    advice = {hint, std::move(*text)};
  } else if (const auto name = variable_meant(value.text); !name.empty()) {
    advice = "a variable is written ${" + name + "}";
  } else if (value.kind == Value::Kind::null && value.where != entry.where) {
    advice = "'~' and null mean that there is no value; a text is quoted";
  } else if (code != Code::invalid_value && code != Code::out_of_range &&
             option.choices().empty() && complaint->find(allowed) == complaint->npos) {
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
