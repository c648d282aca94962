// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/reference/option_schema.hpp"

#include <algorithm>
#include <cmath>

#include "cli/reference/facts.hpp"
#include "config/scalars.hpp"
#include "config/yaml.hpp"

namespace millrace::cli {
namespace {

constexpr const char* variable_pattern = R"(\$\{)";

std::vector<std::string> types_of(const Json& schema) {
  if (!schema.contains("type")) return {};
  const auto& type = schema["type"];
  return type.is_array() ? type.get<std::vector<std::string>>()
                         : std::vector{type.get<std::string>()};
}

bool has(const std::vector<std::string>& types, const char* type) {
  return std::ranges::count(types, type) > 0;
}

/// A scalar as YAML's core schema reads it, where the types allow that.
Json scalar(const std::string& text, const std::vector<std::string>& types) {
  if (!types.empty() && types.front() == "string") return text;
  if (has(types, "integer") || has(types, "number")) {
    if (const auto whole = read_number<std::int64_t>(text).number) return *whole;
    if (const auto number = read_number<double>(text).number) return *number;
  }
  if (has(types, "boolean") && (text == "true" || text == "false")) return text == "true";
  return text;
}

Json default_of(const Option& option, const Json& schema) {
  const auto& text = option.default_text();
  const auto types = types_of(schema);
  if (!has(types, "array") || !text.starts_with('[')) return scalar(text, types);
  Json list = Json::array();
  Diagnostics diagnostics("default");
  if (const auto value = read_yaml(SourceText(text), diagnostics))
    for (const auto& item : value->items) list.push_back(item.text);
  return list;
}

void limit(Json& schema, const Option& option) {
  const auto types = types_of(schema);
  const auto limits = option.limits();
  if (!limits || (!has(types, "number") && !has(types, "integer"))) return;
  if (std::isfinite(limits->first)) schema["minimum"] = limits->first;
  if (std::isfinite(limits->second)) schema["maximum"] = limits->second;
}

Json choices_schema(const Option& option) {
  Json schema{{"enum", Json::array()}, {"enumDescriptions", Json::array()}};
  for (const auto& [name, summary] : option.choices()) {
    schema["enum"].push_back(name);
    schema["enumDescriptions"].push_back(summary);
    // Read by its text, however YAML takes it.
    if (const auto typed = scalar(name, {"number", "boolean"}); !typed.is_string()) {
      schema["enum"].push_back(typed);
      schema["enumDescriptions"].push_back(summary);
    }
  }
  return schema;
}

/// The same with variables. A pattern is for texts alone, so a number needs no second schema.
Json with_variables(Json schema, const Option& option) {
  auto types = types_of(schema);
  if (types.empty()) return schema.empty() ? schema : any_of({schema, variable_schema()});
  const bool takes_texts = has(types, "string");
  if (takes_texts && !schema.contains("pattern")) return schema;
  if (!takes_texts) {
    types.push_back("string");
    schema["type"] = types;
  }
  schema["pattern"] = takes_texts ? schema["pattern"].get<std::string>() + "|" + variable_pattern
                                  : variable_pattern;
  schema["patternErrorMessage"] = option.name() + ": allowed: " + type_text(option);
  return schema;
}

/// "Largest skew to correct. (0..45 degrees; default 15)"
std::string description_of(const Option& option) {
  const auto& preset = option.default_text();
  return option.summary() + " (" + (option.choices().empty() ? type_text(option) + "; " : "") +
         (option.is_required() ? "required"
          : preset.empty()     ? "not set by default"
                               : "default " + preset) +
         ")";
}

}  // namespace

Json variable_schema() { return Json::object({{"$ref", "#/definitions/variable"}}); }

Json any_of(std::vector<Json> schemas) {
  if (schemas.size() == 1) return schemas.front();
  return Json::object({{"anyOf", std::move(schemas)}});
}

void describe(Json& schema, const std::string& text) {
  schema["description"] = text;
  std::string markdown;  // where a star or an underscore would mean something
  for (const char c : text) {
    if (c == '*' || c == '_' || c == '<' || c == '[' || c == '\\') markdown += '\\';
    markdown += c;
  }
  schema["markdownDescription"] = markdown;
}

Json option_schema(const Option& option) {
  auto type = Json::parse(option.schema());
  if (!option.choices().empty()) type = choices_schema(option);
  limit(type, option);
  const auto preset = option.default_text().empty() ? Json() : default_of(option, type);
  Json schema = with_variables(std::move(type), option);
  describe(schema, description_of(option));
  if (!preset.is_null()) schema["default"] = preset;
  return schema;
}

Json map_schema(const Options& options) {
  Json schema{{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  for (const auto& option : options.all()) {
    schema["properties"][option.name()] = option_schema(option);
    if (option.is_required()) schema["required"].push_back(option.name());
  }
  return schema;
}

}  // namespace millrace::cli
