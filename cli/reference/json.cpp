// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/reference/print.hpp"
#include "millrace/version.hpp"

namespace millrace::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array group_names{"source", "transform", "sink"};
constexpr std::array role_names{"stage", "converter", "decoder"};
constexpr std::array concurrency_names{"parallel", "serial", "serial_ordered"};

template <class Enum, std::size_t N>
const char* name_in(const std::array<const char*, N>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

Json option_json(const Option& option) {
  Json json{{"name", option.name()}, {"summary", option.summary()}, {"type", option.type()}};
  json["required"] = option.is_required();
  // As it would be written; the type says how to read it.
  json["default"] = option.default_text().empty() ? Json() : Json(option.default_text());
  if (!option.unit().empty()) json["unit"] = option.unit();
  if (const auto limits = option.limits()) {
    if (std::isfinite(limits->first)) json["minimum"] = limits->first;
    if (std::isfinite(limits->second)) json["maximum"] = limits->second;
  }
  for (const auto& [name, summary] : option.choices())
    json["choices"].push_back({{"name", name}, {"summary", summary}});
  return json;
}

Json object(const StageFacts& stage) {
  const auto& entry = *stage.entry;
  Json json{{"name", entry.name},
            {"summary", entry.summary},
            {"role", name_in(role_names, entry.role)},
            {"plugin", entry.plugin.empty() ? Json() : Json(entry.plugin)}};
  if (!stage.made.stage) {
    json["problem"] = stage.problem;
    return json;
  }
  const auto flow = stage.flow();
  json["group"] = name_in(group_names, group_of(flow));
  json["takes"] = Json::array();
  for (const auto kind : flow.takes) json["takes"].push_back(name_of(kind));
  json["gives"] = flow.gives ? Json(name_of(*flow.gives)) : Json();
  json["load"] = stage.made.stage->load() == Load::cpu ? "cpu" : "io";
  json["concurrency"] = name_in(concurrency_names, stage.made.stage->concurrency());
  json["splits"] = stage.made.stage->splits();
  json["converters"] = stage.converters;
  json["options"] = Json::array();
  for (const auto& option : stage.made.options.all())
    json["options"].push_back(option_json(option));
  json["example"] = "- " + example_item(entry.name, stage.made.options);
  return json;
}

/// What a plugin says may be no UTF-8.
std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string stage_json(const StageFacts& stage) { return dumped(object(stage)); }

std::string stages_json(const std::vector<StageFacts>& stages) {
  Json json{{"millrace", std::string(version())}, {"stages", Json::array()}};
  for (const auto& stage : stages) json["stages"].push_back(object(stage));
  return dumped(json);
}

}  // namespace millrace::cli
