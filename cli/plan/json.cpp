// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/plan/json.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/plan/preview.hpp"
#include "cli/plan/settings.hpp"
#include "run/fusion.hpp"
#include "run/preview.hpp"

namespace millrace::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of_source(VariableUse::From from) {
  switch (from) {
    case VariableUse::From::vars:
      return "vars";
    case VariableUse::From::set:
      return "set";
    case VariableUse::From::environment:
      return "env";
    case VariableUse::From::fallback:
      break;
  }
  return "fallback";
}

Json json_of(const std::vector<Setting>& settings) {
  auto list = Json::array();
  for (const auto& setting : settings) {
    Json json{{"name", setting.name},
              {"value", setting.value},
              {"default", setting.provenance == nullptr}};
    if (setting.provenance) {
      json["line"] = setting.provenance->where.line;
      json["variables"] = Json::array();
      for (const auto& use : setting.provenance->uses) {
        Json variable{{"from", name_of_source(use.from)}, {"name", use.name}};
        if (use.where.line > 0) variable["line"] = use.where.line;
        json["variables"].push_back(std::move(variable));
      }
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json ids_of(const Plan& plan, const std::vector<std::size_t>& stages) {
  auto ids = Json::array();
  for (const auto stage : stages) ids.push_back(plan.stages[stage].id);
  return ids;
}

Json stages_of(const Plan& plan) {
  auto list = Json::array();
  const auto fused = fused_into(plan);
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const auto& stage = plan.stages[i];
    const auto gives = stage.stage->gives();
    Json json{{"id", stage.id},
              {"stage", stage.name},
              {"inserted", stage.inserted},
              {"line", stage.where.line},
              {"plugin", stage.plugin.empty() ? Json() : Json(stage.plugin)},
              {"from", ids_of(plan, stage.inputs)},
              {"takes_failures", stage.takes_failures},
              {"gives", gives ? Json(name_of(*gives)) : Json()},
              {"workers", stage.workers},
              {"queue", stage.inputs.empty() ? Json() : Json(stage.queue)},
              {"works_with", fused[i] ? Json(plan.stages[*fused[i]].id) : Json()}};
    json["options"] = json_of(options_of(stage));
    json["settings"] = json_of(engine_settings_of(stage));
    list.push_back(std::move(json));
  }
  return list;
}

Json json_of(const NameEnds& names) {
  return {{"count", names.count}, {"first", names.first}, {"last", names.last}};
}

Json inputs_of(const Plan& plan, const Preview& preview) {
  auto list = Json::array();
  for (const auto& input : preview.inputs)
    list.push_back({{"stage", plan.stages[input.stage].id},
                    {"items", json_of(input.items)},
                    {"bytes", input.bytes},
                    {"cannot_be_listed", input.failed},
                    {"failures", input.failures},
                    {"refused", input.refused}});
  return list;
}

Json outputs_of(const Plan& plan, const Preview& preview) {
  auto list = Json::array();
  for (const auto& [stage, forecast, of_failures] : preview.outputs)
    list.push_back({{"stage", plan.stages[stage].id},
                    {"files", json_of(forecast.files)},
                    {"at_most", of_failures},
                    {"varies", forecast.varies},
                    {"existing", forecast.existing},
                    {"replaced", forecast.replaced},
                    {"skipped", forecast.skipped},
                    {"complaints", forecast.complaints}});
  return list;
}

Json json_of(const Preview::Memory& memory) {
  return {{"budget", memory.budget},
          {"in_flight", memory.window},
          {"estimated_items", memory.estimated},
          {"largest", memory.largest},
          {"largest_item", memory.largest_item},
          {"largest_at_once", memory.at_once()}};
}

std::string json_of(const Plan& plan, const Preview& preview, int exit_status) {
  Json json{{"name", plan.name}, {"file", plan.file}, {"vars", plan.vars}};
  json["run"] = json_of(run_settings_of(plan));
  json["stages"] = stages_of(plan);
  json["inputs"] = inputs_of(plan, preview);
  json["memory"] = json_of(preview.memory);
  json["outputs"] = outputs_of(plan, preview);
  json["error"] = preview.error ? Json(preview.error->what()) : Json();
  json["exit_status"] = exit_status;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int show_json(const Plan& plan) {
  const auto shown = preview(plan, Context());
  const int status = status_of(shown);
  std::cout << json_of(plan, shown, status);
  say_error(plan, shown);
  return status;
}

}  // namespace millrace::cli
