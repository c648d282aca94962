// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "concurrency/effective_cpus.hpp"
#include "config/document.hpp"
#include "config/keys.hpp"
#include "config/source_text.hpp"
#include "config/variables.hpp"
#include "config/yaml.hpp"
#include "millrace/catalogue.hpp"
#include "plan/draft.hpp"

namespace millrace::inline v1 {
namespace {

std::size_t workers_of(const Node& node, std::size_t cpus) {
  if (const auto& written = node.item.workers)
    return written->count * (written->per_cpu ? cpus : 1);
  // What waits for a disk or a network gains from more than there are CPUs.
  return node.made.stage->load() == Load::cpu ? cpus : std::max<std::size_t>(8, 4 * cpus);
}

PlannedStage planned(Node node, const std::vector<std::size_t>& places, std::size_t cpus) {
  PlannedStage stage;
  stage.id = std::move(node.id);
  stage.name = node.item.name;
  stage.inserted = node.inserted;
  stage.where = node.item.key.where;
  stage.workers = workers_of(node, cpus);
  stage.queue = node.item.queue.value_or(2 * stage.workers);
  stage.on_error = node.item.on_error;
  for (const auto& input : node.inputs) stage.inputs.push_back(places[input.node]);
  for (const std::size_t output : node.outputs) stage.outputs.push_back(places[output]);
  std::ranges::sort(stage.outputs);
  stage.stage = std::move(node.made.stage);
  return stage;
}

std::vector<PlannedStage> plan_stages(Draft draft) {
  const auto order = draft.order();
  std::vector<std::size_t> places(draft.nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  const std::size_t cpus = effective_cpus();
  std::vector<PlannedStage> stages;
  for (const std::size_t node : order)
    stages.push_back(planned(std::move(draft.nodes[node]), places, cpus));
  return stages;
}

void read_variables(Value& root, const std::map<std::string, std::string>& sets,
                    Variables& variables) {
  const auto* vars = find_key(root, "vars");
  if (vars)
    variables.define(vars->value, sets);
  else
    variables.refuse(sets);
  for (auto& entry : root.entries)
    if (entry.key != "vars") variables.replace_in(entry.value);
}

std::string stem(const std::string& file) {
  const auto name = file.substr(file.find_last_of('/') + 1);
  return name.substr(0, name.find_last_of('.'));
}

}  // namespace

LoadResult load_pipeline(const std::string& yaml, const std::string& file,
                         const std::map<std::string, std::string>& sets,
                         const Catalogue& catalogue) {
  Diagnostics diagnostics(file);
  LoadResult result;
  auto root = read_yaml(SourceText(yaml), diagnostics);
  if (root) {
    Prototypes prototypes(catalogue);
    Variables variables(diagnostics);
    if (root->kind == Value::Kind::map) read_variables(*root, sets, variables);
    Document document = read_document(*root, prototypes, diagnostics);
    Draft draft = configure(document, prototypes, diagnostics);
    connect(draft, prototypes, diagnostics);
    convert(draft, prototypes, diagnostics);
    negotiate(draft, diagnostics);
    check_outputs(draft, diagnostics);
    variables.warn_of_unused();
    if (diagnostics.errors() == 0) {
      Plan& plan = result.plan.emplace();
      plan.name = document.name.empty() ? stem(file) : document.name;
      plan.file = file;
      plan.run = document.run;
      plan.vars = variables.values();
      plan.stages = plan_stages(std::move(draft));
    }
  }
  result.diagnostics = diagnostics.sorted();
  return result;
}

LoadResult load_pipeline(const std::string& yaml, const std::string& file,
                         const std::map<std::string, std::string>& sets) {
  return load_pipeline(yaml, file, sets, Catalogue::instance());
}

}  // namespace millrace::inline v1
