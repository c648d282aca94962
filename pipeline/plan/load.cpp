// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plan/load.hpp"

#include <algorithm>

#include "concurrency/effective_memory.hpp"
#include "config/document.hpp"
#include "config/keys.hpp"
#include "config/source_text.hpp"
#include "config/variables.hpp"
#include "config/yaml.hpp"
#include "millrace/catalogue.hpp"

namespace millrace::inline v1 {
namespace {

PlannedStage planned(Node node, const std::vector<std::size_t>& places, std::size_t workers) {
  PlannedStage stage;
  stage.id = std::move(node.id);
  stage.name = node.item.name;
  stage.inserted = node.inserted;
  stage.where = node.item.key.where;
  stage.options = std::move(node.options);
  stage.engine_keys = std::move(node.item.engine_keys);
  stage.workers = workers;
  stage.queue = node.item.queue.value_or(2 * workers);
  stage.own_pool = node.item.workers || node.item.queue;
  stage.timeout = node.item.timeout;
  stage.retry = node.item.retry.value_or(Retry());
  stage.rate = node.item.rate;
  stage.on_error = node.item.on_error;
  stage.isolate = node.item.isolate;
  if (node.entry) stage.plugin = node.entry->plugin;
  stage.downstream = std::move(node.downstream);
  stage.takes_failures = node.failed.has_value();
  for (const auto& input : node.inputs) stage.inputs.push_back(places[input.node]);
  if (node.failed) std::ranges::sort(stage.inputs);
  for (const std::size_t output : node.outputs) stage.outputs.push_back(places[output]);
  for (const std::size_t failed : node.failures) stage.failures.push_back(places[failed]);
  std::ranges::sort(stage.outputs);
  std::ranges::sort(stage.failures);
  stage.stage = std::move(node.made.stage);
  return stage;
}

std::vector<PlannedStage> plan_stages(Draft draft, Order run_order) {
  const auto order = draft.order();
  const auto workers = workers_of(draft, run_order);
  std::vector<std::size_t> places(draft.nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  std::vector<PlannedStage> stages;
  for (const std::size_t node : order)
    stages.push_back(planned(std::move(draft.nodes[node]), places, workers[node]));
  return stages;
}

/// In bytes; none where the file leaves it to the runner.
std::optional<std::uint64_t> memory_of(const Document& document, Diagnostics& diagnostics) {
  if (!document.memory) return std::nullopt;
  const auto [percent, bytes] = *document.memory;
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  const std::uint64_t most = effective_memory();
  if (percent > 0) {
    const double share = static_cast<double>(most / mebibyte) * percent / 100;
    return std::max<std::uint64_t>(static_cast<std::uint64_t>(share), 1) * mebibyte;
  }
  if (bytes > most)
    diagnostics.warning(Code::over_limit, document.memory_key->value,
                        "this is more than the " + std::to_string(most / mebibyte) +
                            "MiB that this process may use",
                        "write a share, such as memory: 50%");
  return bytes;
}

void read_variables(Value& root, const std::map<std::string, std::string>& sets,
                    Variables& variables) {
  const auto* vars = find_meant(root, "vars", top_keys());
  if (vars)
    variables.define(vars->value, sets);
  else
    variables.refuse(sets);
  for (auto& entry : root.entries)
    if (&entry != vars) variables.replace_in(entry.value);
}

std::string stem(const std::string& file) {
  const auto name = file.substr(file.find_last_of('/') + 1);
  return name.substr(0, name.find_last_of('.'));
}

}  // namespace

Loaded load_with_tests(const std::string& yaml, const std::string& file,
                       const std::map<std::string, std::string>& sets, const Catalogue& catalogue,
                       const Edit& edit) {
  Diagnostics diagnostics(file);
  Loaded result;
  auto root = read_yaml(SourceText(yaml), diagnostics);
  if (root) {
    Prototypes prototypes(catalogue);
    Variables variables(diagnostics);
    if (root->kind == Value::Kind::map) read_variables(*root, sets, variables);
    Document document = read_document(*root, prototypes, diagnostics);
    Draft draft = configure(document, prototypes, diagnostics);
    connect(draft, prototypes, diagnostics);
    result.tests = read_tests(*root, draft, diagnostics);
    if (edit && diagnostics.errors() == 0) edit(draft, result.tests);
    make_failed_inputs(draft, diagnostics);
    convert(draft, prototypes, diagnostics);
    negotiate(draft, diagnostics);
    check_outputs(draft, diagnostics);
    check_workers(draft, document.run.order, diagnostics);
    document.run.memory = memory_of(document, diagnostics);
    variables.warn_of_unused();
    if (diagnostics.errors() == 0) {
      Plan& plan = result.plan.emplace();
      plan.name = document.name.empty() ? stem(file) : document.name;
      plan.file = file;
      plan.run = document.run;
      plan.run_keys = document.run_keys;
      plan.vars = variables.values();
      plan.stages = plan_stages(std::move(draft), plan.run.order);
    }
  }
  if (root) diagnostics.find_paths(*root);
  result.diagnostics = diagnostics.sorted();
  return result;
}

LoadResult load_pipeline(const std::string& yaml, const std::string& file,
                         const std::map<std::string, std::string>& sets,
                         const Catalogue& catalogue) {
  return load_with_tests(yaml, file, sets, catalogue);
}

LoadResult load_pipeline(const std::string& yaml, const std::string& file,
                         const std::map<std::string, std::string>& sets) {
  return load_pipeline(yaml, file, sets, Catalogue::instance());
}

}  // namespace millrace::inline v1
