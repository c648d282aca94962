// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/abi/schema.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <iterator>

#include "config/keys.hpp"
#include "config/scalars.hpp"
#include "config/yaml.hpp"
#include "millrace/error.hpp"
#include "millrace/nearest.hpp"
#include "plugin/abi/names.hpp"

namespace millrace::abi {
namespace {

using Kind = Value::Kind;

constexpr std::size_t longest_schema = 1 << 20;

// In the order of OptionKind.
const std::vector<std::string> types{"integer", "number", "boolean", "string", "array"};

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::plugin, what); }

/// The number behind the `\\u` that begins at `at`; 0 where none does.
std::uint32_t escaped_at(std::string_view text, std::size_t at) {
  if (text.substr(std::min(at, text.size()), 2) != "\\u" || text.size() < at + 6) return 0;
  std::uint32_t value = 0;
  const char* const end = text.data() + at + 6;
  return std::from_chars(text.data() + at + 2, end, value, 16).ptr == end ? value : 0;
}

/// JSON escapes a character above U+FFFF as two halves (RFC 8259, section 7), YAML as one whole.
std::string join_surrogates(std::string_view json) {
  std::string text;
  for (std::size_t at = 0; at < json.size();) {
    const auto high = escaped_at(json, at), low = escaped_at(json, at + 6);
    if (high >> 10 == 0xd800 >> 10 && low >> 10 == 0xdc00 >> 10) {
      std::array<char, 11> whole;
      std::snprintf(whole.data(), whole.size(), "\\U%08x",
                    0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff));
      text += whole.data();
      at += 12;
    } else {
      const std::size_t length = json[at] == '\\' ? 2 : 1;  // "\\\\u" is no escape of a number
      text += json.substr(at, length);
      at += length;
    }
  }
  return text;
}

/// JSON is YAML's flow style: the reader of pipelines reads it, and says what is wrong in it.
Value read_json(std::string_view json) {
  const auto first = json.find_first_not_of(" \t\r\n");
  if (first == json.npos || json[first] != '{') refuse("is not a JSON object");
  if (json.size() > longest_schema) refuse("is longer than a mebibyte");
  std::string text = join_surrogates(json);
  std::ranges::replace(text, '\t', ' ');  // YAML knows no tab in front of a line
  Diagnostics diagnostics("options");
  auto value = read_yaml(SourceText(text), diagnostics);
  if (diagnostics.errors() > 0) {
    const auto told = diagnostics.sorted();
    const auto at = std::ranges::find(told, Diagnostic::Severity::error, &Diagnostic::severity);
    refuse("line " + std::to_string(at->where.line) + ", column " +
           std::to_string(at->where.column) + ": " + at->message);
  }
  if (!value || value->kind != Kind::map) refuse("is not a JSON object");
  return *value;
}

void check_keys(const Value& map, const std::vector<std::string>& known) {
  for (const auto& entry : map.entries) {
    if (std::ranges::count(known, entry.key) > 0) continue;
    const auto meant = did_you_mean(entry.key, known);
    refuse(quote(entry.key) + " is not known; " +
           (meant.empty() ? "there are " + join(known, "and") : meant));
  }
}

const Value* value_of(const Value& map, const std::string& key) {
  const auto* entry = find_key(map, key);
  return entry && entry->value.kind != Kind::null ? &entry->value : nullptr;
}

std::string text_of(const Value& map, const std::string& key) {
  const Value* value = value_of(map, key);
  if (!value) return {};
  if (value->kind != Kind::scalar || !value->quoted) refuse(quote(key) + " wants a text");
  if (value->text.find('\n') != std::string::npos) refuse(quote(key) + " wants a single line");
  return value->text;
}

std::vector<std::string> texts_of(const Value& map, const std::string& key) {
  std::vector<std::string> texts;
  const Value* value = value_of(map, key);
  if (!value) return texts;
  if (value->kind != Kind::list) refuse(quote(key) + " wants a list of texts");
  for (const auto& item : value->items) {
    if (item.kind != Kind::scalar || !item.quoted) refuse(quote(key) + " wants a list of texts");
    if (std::ranges::count(texts, item.text) > 0)
      refuse(quote(key) + " names " + quote(item.text) + " twice");
    texts.push_back(item.text);
  }
  return texts;
}

void read_limit(const Value& map, const std::string& key, double& limit) {
  const Value* value = value_of(map, key);
  if (!value) return;
  if (const auto complaint = parse_number("a number", *value, limit))
    refuse(key + ": " + *complaint);
}

OptionKind kind_of(const Value& map) {
  const std::string type = text_of(map, "type");
  const auto known = std::ranges::find(types, type);
  if (known == types.end())
    refuse(
        (type.empty() ? "lacks its type" : quote(type) + " is not a type that an option can have") +
        "; there are " + join(types, "and"));
  return static_cast<OptionKind>(known - types.begin());
}

void check_items(const Value& map, OptionKind kind) {
  const Value* items = value_of(map, "items");
  if (!items && kind != OptionKind::array) return;
  if (kind != OptionKind::array) refuse("'items' is for an array only");
  if (!items || items->kind != Kind::map || text_of(*items, "type") != "string")
    refuse("an array wants items of type string: \"items\": {\"type\": \"string\"}");
  check_keys(*items, {"type"});
}

OptionSpec read_property(const std::string& name, const Value& map) {
  if (!is_name(name)) refuse("an option's name has " + std::string(name_rule));
  if (map.kind != Kind::map) refuse("is not an object");
  check_keys(map, {"type", "title", "description", "default", "minimum", "maximum", "enum", "items",
                   "unit"});
  OptionSpec spec;
  spec.name = name;
  spec.kind = kind_of(map);
  spec.description = text_of(map, "description");
  if (spec.description.empty()) refuse("lacks its description");
  spec.unit = text_of(map, "unit");
  check_items(map, spec.kind);
  read_limit(map, "minimum", spec.minimum);
  read_limit(map, "maximum", spec.maximum);
  const bool is_number = spec.kind == OptionKind::integer || spec.kind == OptionKind::number;
  if (!is_number && (value_of(map, "minimum") || value_of(map, "maximum")))
    refuse("minimum and maximum are for numbers only");
  if (spec.minimum > spec.maximum) refuse("its minimum is above its maximum");
  spec.choices = texts_of(map, "enum");
  if (value_of(map, "enum") && (spec.kind != OptionKind::string || spec.choices.empty()))
    refuse("'enum' is a list of texts, of an option of type string");
  if (const Value* preset = value_of(map, "default")) spec.preset = *preset;
  return spec;
}

}  // namespace

std::vector<OptionSpec> read_schema(std::string_view json) {
  const Value root = read_json(json);
  check_keys(root, {"$schema", "$id", "title", "description", "type", "properties", "required",
                    "additionalProperties"});
  if (text_of(root, "type") != "object") refuse("lacks \"type\": \"object\"");
  std::vector<OptionSpec> specs;
  if (const Value* properties = value_of(root, "properties")) {
    if (properties->kind != Kind::map) refuse("'properties' is not an object");
    for (const auto& [name, where, length, map] : properties->entries) try {
        specs.push_back(read_property(name, map));
      } catch (const Error& error) {
        throw error.in(name);
      }
  }
  for (const auto& name : texts_of(root, "required")) {
    const auto at = std::ranges::find(specs, name, &OptionSpec::name);
    if (at == specs.end()) refuse("'required' names " + quote(name) + ", which is no property");
    if (at->preset.kind != Kind::null) refuse(name + ": has a default, so it cannot be required");
    at->required = true;
  }
  return specs;
}

}  // namespace millrace::abi
