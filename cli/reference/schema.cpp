// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/reference/schema.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "cli/reference/option_schema.hpp"
#include "config/engine_options.hpp"
#include "testing/test_keys.hpp"

namespace millrace::cli {
namespace {

Json described(Json schema, const std::string& text) {
  describe(schema, text);
  return schema;
}

const StageFacts* find(const std::vector<StageFacts>& stages, const std::string& name) {
  const auto at = std::ranges::find(stages, name, &StageFacts::name);
  return at == stages.end() ? nullptr : &*at;
}

/// Beside its own options a stage may have those of what is put in before it; two of those may have
/// one of the same name.
void add_lent(Json& schema, const StageFacts& stage, const std::vector<StageFacts>& stages) {
  std::map<std::string, std::vector<Json>> lent;
  for (const auto& name : stage.converters)
    for (const auto& option : find(stages, name)->made.options.all()) {
      if (schema["properties"].contains(option.name())) continue;
      Json each = option_schema(option);
      describe(each, "Of " + name + ", where it is put in before " + stage.name() + ": " +
                         option.summary());
      each.erase("default");  // unset here, whoever it is for
      lent[option.name()].push_back(std::move(each));
    }
  for (auto& [name, schemas] : lent) {
    std::string text;
    for (const auto& each : schemas)
      text += (text.empty() ? "" : " ") + each["description"].get<std::string>();
    schema["properties"][name] = described(any_of(std::move(schemas)), text);
  }
}

bool may_stand_alone(const StageFacts& stage) {
  return std::ranges::none_of(stage.made.options.all(), &Option::is_required);
}

Json stage_schema(const StageFacts& stage, const std::vector<StageFacts>& stages) {
  Json schema = map_schema(stage.made.options);
  if (may_stand_alone(stage)) schema["type"] = {"object", "null"};
  add_lent(schema, stage, stages);
  return described(std::move(schema), stage.entry->summary);
}

/// As one value, or as a map of more.
Json setting_schema(const Option& option, const EngineOptions& options) {
  Json schema = option_schema(option);
  const auto inside = options.inside.find(option.name());
  if (inside == options.inside.end()) return schema;
  Json either = any_of({schema, map_schema(inside->second)});
  either["description"] = schema["description"];
  either["markdownDescription"] = schema["markdownDescription"];
  return either;
}

Json run_schema() {
  const RunOptions run;
  Json schema{{"type", {"object", "null"}}, {"additionalProperties", false}};
  for (const auto& option : run.declared.plain.all())
    schema["properties"][option.name()] = setting_schema(option, run.declared);
  return described(std::move(schema), "What holds for the whole run.");
}

/// A list's item: the name of a stage that needs nothing, or a map with one stage and the engine's
/// keys beside it.
Json item_schema(const std::vector<StageFacts>& stages) {
  Json names{{"enum", Json::array()}, {"enumDescriptions", Json::array()}};
  Json map{{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  Json one_of = Json::array();
  for (const auto& stage : stages) {
    if (!stage.made.stage) continue;
    map["properties"][stage.name()] = stage_schema(stage, stages);
    one_of.push_back(Json::object({{"required", Json::array({stage.name()})}}));
    if (!may_stand_alone(stage)) continue;
    names["enum"].push_back(stage.name());
    names["enumDescriptions"].push_back(stage.entry->summary);
  }
  const ItemOptions item;
  for (const auto& option : item.declared.plain.all())
    map["properties"][option.name()] = setting_schema(option, item.declared);
  // Where a key is not known, that is the mistake, and not that a stage is missing.
  Json known = Json::array();
  for (const auto& [key, schema] : map["properties"].items()) known.push_back(key);
  map["if"]["propertyNames"]["enum"] = std::move(known);
  map["then"]["oneOf"] = std::move(one_of);
  return any_of({std::move(map), std::move(names), variable_schema()});
}

Json texts_by_name(const Json& text) {
  return Json{{"type", "object"}, {"additionalProperties", text}};
}

/// One of the maps in `tests`, as the tests declare it.
Json keys_schema(const TestKeys& keys) {
  using Shape = TestKeys::Shape;
  if (keys.shape == Shape::texts_by_name)
    return described(texts_by_name({{"type", {"string", "number", "boolean", "null"}}}),
                     keys.summary);
  Json map = map_schema(keys.options);
  for (const auto& inside : keys.maps) {
    map["properties"][inside.key] = keys_schema(inside);
    if (inside.required) map["required"].push_back(inside.key);
  }
  Json list{{"type", "array"}, {"items", map}};
  if (keys.shape == Shape::list_of_maps)
    map = std::move(list);
  else if (keys.shape == Shape::map_or_list)
    map = any_of({std::move(map), std::move(list)});
  return described(std::move(map), keys.summary);
}

/// Where there are several sources, `input` is a map from their ids.
Json tests_schema() {
  Json schema = keys_schema(test_keys());
  Json& input = schema["items"]["properties"]["input"];
  Json one = input;
  input = described(any_of({one, texts_by_name(one)}), one["description"]);
  return schema;
}

Json vars_schema() {
  return described({{"type", {"object", "null"}},
                    {"propertyNames", {{"pattern", "^[A-Za-z_][A-Za-z0-9_-]*$"}}},
                    {"additionalProperties", {{"type", {"string", "number", "boolean", "null"}}}}},
                   "Values that ${NAME} stands for in the texts below; --set NAME=VALUE replaces "
                   "them. One without a value must be set.");
}

}  // namespace

std::string schema_json(const std::vector<StageFacts>& stages) {
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
              {"title", "Millrace pipeline"},
              {"type", "object"},
              {"required", {"version", "stages"}},
              {"additionalProperties", false}};
  auto& properties = schema["properties"];
  properties["version"] = described({{"const", 1}, {"default", 1}}, "Of the file's form: 1.");
  properties["name"] =
      described({{"type", {"string", "number", "boolean"}}}, "What messages call the pipeline.");
  properties["vars"] = vars_schema();
  properties["run"] = run_schema();
  properties["stages"] =
      described({{"type", "array"}, {"minItems", 1}, {"items", {{"$ref", "#/definitions/item"}}}},
                "Each takes the items of the one before it, or of those that `from` names.");
  properties["tests"] = tests_schema();
  schema["definitions"]["variable"] = {{"type", "string"}, {"pattern", R"(\$\{)"}};
  schema["definitions"]["item"] = item_schema(stages);
  return schema.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace millrace::cli
