// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/variables.hpp"

#include <algorithm>
#include <cstdlib>

#include "config/keys.hpp"
#include "millrace/nearest.hpp"

namespace millrace::inline v1 {
namespace {

// Variables that use variables could otherwise double without end.
constexpr std::size_t max_scalar = 64 << 10;
constexpr std::size_t max_total = 16 << 20;
constexpr int max_nesting = 8;
constexpr std::size_t most_uses = 16;  // that are noted: each variable has all those behind it

/// The offset behind the `}` that closes the `${` at `at`; npos when there is none.
std::size_t reference_end(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text.substr(i).starts_with("${")) {
      ++depth;
      ++i;
    } else if (text[i] == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return text.npos;
}

void add_each_once(std::vector<VariableUse>& uses, const std::vector<VariableUse>& more) {
  for (const auto& use : more)
    if (uses.size() < most_uses && std::ranges::find(uses, use) == uses.end()) uses.push_back(use);
}

void collect_uses(const Value& tree, std::vector<VariableUse>& uses) {
  add_each_once(uses, tree.uses);
  for (const auto& item : tree.items) collect_uses(item, uses);
  for (const auto& entry : tree.entries) collect_uses(entry.value, uses);
}

}  // namespace

Provenance provenance_of(const Value::Entry& entry) {
  Provenance provenance{entry.where, {}};
  collect_uses(entry.value, provenance.uses);
  return provenance;
}

Provenances provenances_of(const Value& map) {
  Provenances all;
  for (const auto& entry : map.entries) all[entry.key] = provenance_of(entry);
  return all;
}

std::nullopt_t Variables::complain(Code code, const Place& place, std::string message,
                                   Advice advice) {
  complained_ = true;
  const Value& scalar = place.scalar;
  // Escapes make a quoted scalar longer than its text and its offsets useless.
  const int quotes = scalar.quoted ? 1 : 0;
  const bool exact = scalar.length == static_cast<int>(scalar.text.size()) + 2 * quotes;
  if (exact)
    diagnostics_.error(
        code, {scalar.where.line, scalar.where.column + quotes + static_cast<int>(place.offset)},
        static_cast<int>(place.size), std::move(message), std::move(advice));
  else
    diagnostics_.error(code, scalar, std::move(message), std::move(advice));
  return std::nullopt;
}

void Variables::define(const Value& vars, const std::map<std::string, std::string>& sets) {
  if (vars.kind == Value::Kind::null && !vars.broken) return refuse(sets);
  if (vars.kind != Value::Kind::map) {
    complained_ = are_broken_ = true;
    if (vars.broken) return;
    return diagnostics_.error(Code::wrong_type, vars, "'vars' is a map of names and texts",
                              "write it as vars: { in: photos, out: small }");
  }
  vars_ = &vars;
  for (const auto& entry : vars.entries) {
    if (!is_name(entry.key))
      diagnostics_.error(Code::invalid_name, entry, quote(entry.key) + " cannot name a variable",
                         "a name has letters, digits, '_' and '-', and begins with a letter");
    const auto set = sets.find(entry.key);
    Value value = entry.value;
    const bool is_text = value.kind == Value::Kind::scalar || value.kind == Value::Kind::null;
    if (!is_text)
      diagnostics_.error(Code::wrong_type, value,
                         "the variable " + quote(entry.key) + " must be one text");
    if (value.kind == Value::Kind::scalar && !value.broken && set == sets.end()) {
      replace_scalar(value);
      value.broken = value.broken || !has_own_paths(value, diagnostics_);
    }
    declared_.push_back(&entry);
    if (set != sets.end())
      values_[entry.key] = set->second;
    else if (value.broken || !is_text)
      broken_.insert(entry.key);
    else if (value.kind == Value::Kind::null)
      unset_.insert(entry.key);
    else
      values_[entry.key] = value.text;
    Uses& behind = behind_[entry.key];
    if (set != sets.end())
      behind = {{VariableUse::From::set, entry.key, {}}};
    else
      behind = {{VariableUse::From::vars, entry.key, entry.where}};
    add_each_once(behind, value.uses);
  }
  for (const auto& [name, text] : sets)
    if (std::ranges::none_of(declared_, [&](auto* entry) { return entry->key == name; }))
      diagnostics_.error(Code::unknown_variable, {}, 1,
                         "--set " + name + ": the pipeline has no variable " + quote(name),
                         did_you_mean(name, names()));
}

void Variables::refuse(const std::map<std::string, std::string>& sets) {
  for (const auto& [name, text] : sets)
    diagnostics_.error(Code::unknown_variable, {}, 1,
                       "--set " + name + ": the pipeline has no variable " + quote(name),
                       "it has no 'vars' at all");
}

std::vector<std::string> Variables::names() const {
  std::vector<std::string> names;
  for (const auto* entry : declared_) names.push_back(entry->key);
  return names;
}

void Variables::replace_in(Value& tree) {
  if (tree.kind == Value::Kind::scalar && !tree.broken) replace_scalar(tree);
  for (auto& item : tree.items) replace_in(item);
  for (auto& entry : tree.entries) replace_in(entry.value);
}

void Variables::replace_scalar(Value& scalar) {
  if (scalar.text.find("${") == std::string::npos) return;
  Uses uses;
  auto text = expand(scalar.text, {scalar, 0, scalar.text.size()}, uses);
  if (text && !uses.empty()) total_ += text->size();
  if (total_ > max_total)
    text = complain(
        Code::limit_exceeded, {scalar, 0, scalar.text.size()},
        "the variables of this file expand to more than " + std::to_string(max_total) + " bytes");
  if (!text) {
    scalar.broken = true;
    return;
  }
  scalar.text = std::move(*text);
  if (uses.empty()) return;
  scalar.quoted = false;
  scalar.uses = std::move(uses);
}

std::optional<std::string> Variables::expand(std::string_view text, Place place, Uses& uses) {
  if (++place.depth > max_nesting)
    return complain(
        Code::limit_exceeded, place,
        "defaults within defaults end after " + std::to_string(max_nesting) + " levels");
  const std::size_t base = place.offset;
  std::string result;
  bool failed = false;
  for (std::size_t i = 0; i < text.size();) {
    const auto rest = text.substr(i);
    place.offset = base + i;
    if (rest.starts_with("$${")) {
      result += "${";
      i += 3;
    } else if (rest.starts_with("${")) {
      const std::size_t end = reference_end(text, i);
      place.size = std::min(end, text.size()) - i;
      if (end == text.npos)
        return complain(Code::unclosed, place, "this '${' is not closed", "end it with '}'");
      const auto value = value_of(text.substr(i + 2, end - i - 3), place, uses);
      if (value) result += *value;
      if (result.size() > max_scalar)
        return complain(
            Code::limit_exceeded, place,
            "with its variables this has more than " + std::to_string(max_scalar) + " bytes");
      failed = failed || !value;
      i = end;
    } else {
      result += text[i++];
    }
  }
  return failed ? std::nullopt : std::optional(std::move(result));
}

std::optional<std::string> Variables::value_of(std::string_view reference, const Place& place,
                                               Uses& uses) {
  constexpr std::string_view env = "env:";
  const bool from_environment = reference.starts_with(env);
  const std::size_t begin = from_environment ? env.size() : 0;
  const std::size_t split = reference.find(":-", begin);
  const std::string name(reference.substr(begin, split - begin));
  if (!is_name(name))
    return complain(Code::invalid_name, place, quote(name) + " cannot name a variable",
                    "write ${NAME}, ${NAME:-text} or ${env:NAME}; $${ is a plain ${");
  const bool has_default = split != reference.npos;
  auto value =
      from_environment ? environment(name, place, has_default) : variable(name, place, has_default);
  const bool falls_back = has_default && value && value->empty();
  note_use(name, from_environment, falls_back, uses);
  if (!falls_back) return value;
  const auto text = reference.substr(split + 2);
  return expand(text, {place.scalar, place.offset + 2 + split + 2, text.size(), place.depth}, uses);
}

void Variables::note_use(const std::string& name, bool from_environment, bool fallback,
                         Uses& uses) const {
  const auto behind = behind_.find(name);
  if (fallback)
    add_each_once(uses,
                  {{VariableUse::From::fallback, (from_environment ? "env:" : "") + name, {}}});
  else if (from_environment)
    add_each_once(uses, {{VariableUse::From::environment, name, {}}});
  else if (behind != behind_.end())
    add_each_once(uses, behind->second);
}

std::optional<std::string> Variables::environment(const std::string& name, const Place& place,
                                                  bool has_default) {
  if (const char* value = std::getenv(name.c_str())) return value;
  if (has_default) return std::string();
  return complain(Code::unset_variable, place, "the environment has no " + quote(name),
                  "set it, or give a text for that case: ${env:" + name + ":-text}");
}

std::optional<std::string> Variables::variable(const std::string& name, const Place& place,
                                               bool has_default) {
  used_.insert(name);
  if (const auto found = values_.find(name); found != values_.end()) return found->second;
  if (are_broken_ || broken_.contains(name)) return std::nullopt;
  if (unset_.contains(name)) {
    if (has_default) return std::string();
    return complain(Code::unset_variable, place, "the variable " + quote(name) + " has no value",
                    "give it one with --set " + name + "=...");
  }
  if (vars_ && find_key(*vars_, name))
    return complain(Code::unset_variable, place,
                    "the variable " + quote(name) + " has no value yet",
                    "a variable may use those above it");
  if (std::getenv(name.c_str()))
    return complain(Code::unknown_variable, place, "there is no variable " + quote(name),
                    Advice("of the environment it is ${env:" + name + "}", "${env:" + name + "}"));
  Advice advice = suggest(name, names());
  if (advice.fix && has_default) advice.fix.reset();
  if (advice.fix) advice.fix->text = "${" + advice.fix->text + "}";
  constexpr std::string_view fields = " path dir stem ext index page ";  // of output templates
  if (advice.empty() && fields.find(" " + name + " ") != fields.npos)
    advice = "the field of a path is {" + name + "}, without '$'";
  if (advice.empty())
    advice = declared_.empty() ? "the pipeline has no 'vars'; $${ is a plain ${"
                               : "the variables are " + join(names(), "and");
  return complain(Code::unknown_variable, place, "there is no variable " + quote(name),
                  std::move(advice));
}

void Variables::warn_of_unused() const {
  if (complained_ || diagnostics_.errors() > 0) return;
  for (const auto* entry : declared_)
    if (!used_.contains(entry->key))
      diagnostics_.warning(Code::unused_variable, *entry,
                           "the variable " + quote(entry->key) + " is not used");
}

}  // namespace millrace::inline v1
