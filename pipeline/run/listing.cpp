// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/listing.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>

#include "millrace/parallel_map.hpp"
#include "run/journal.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::size_t sources_at_once = 8;  // they wait for disks and networks, not for the CPU

const Source& source_of(const PlannedStage& planned) {
  if (const auto* source = dynamic_cast<const Source*>(planned.stage.get())) return *source;
  throw Error(ErrorKind::internal, planned.id + ": has no input and is not a source");
}

/// The sources that a stage is fed by, however far upstream.
std::set<std::size_t> sources_above(const Plan& plan, std::size_t stage) {
  if (plan.stages[stage].inputs.empty()) return {stage};
  std::set<std::size_t> sources;
  for (const auto input : plan.stages[stage].inputs) sources.merge(sources_above(plan, input));
  return sources;
}

void list_one(const PlannedStage& planned, std::size_t index, const Context& context,
              std::vector<Listed>& inputs) {
  try {
    source_of(planned).list(
        context,
        [&](Origin origin) {
          inputs.push_back({index, std::move(origin), std::nullopt});
        },
        [&](Origin origin, Error error) {
          inputs.push_back({index, std::move(origin), error});
        });
  } catch (...) {
    const Error error = error_in_flight();
    if (error.kind() == ErrorKind::cancelled && context.done()) throw error;
    throw error.in(planned.id);
  }
}

}  // namespace

std::vector<Listed> list_inputs(const Plan& plan, const Context& context) {
  std::vector<std::size_t> sources;
  for (std::size_t i = 0; i < plan.stages.size(); ++i)
    if (plan.stages[i].inputs.empty()) sources.push_back(i);
  std::vector<std::vector<Listed>> lists(sources.size());
  try {
    parallel_each(context, sources_at_once, sources.size(),
                  [&](const Context& here, std::size_t i) {
                    list_one(plan.stages[sources[i]], sources[i], here, lists[i]);
                  });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::cancelled || !context.done()) throw;
  }
  std::vector<Listed> inputs;
  for (auto& list : lists) std::ranges::move(list, std::back_inserter(inputs));
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].origin.index = i;
  return inputs;
}

void prepare_outputs(const Plan& plan, const std::vector<Listed>& inputs) {
  std::vector<Origin> all;
  for (const auto& input : inputs) all.push_back(input.origin);
  const auto outputs = std::make_shared<RunOutputs>(all);
  std::string complaints;
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    auto* planner = dynamic_cast<OutputPlanner*>(plan.stages[i].stage.get());
    if (!planner) continue;
    const auto sources = sources_above(plan, i);
    std::vector<Origin> reaching;
    for (const auto& input : inputs)
      if (!input.failure && sources.contains(input.source)) reaching.push_back(input.origin);
    for (const auto& complaint : planner->prepare(reaching, outputs))
      complaints += (complaints.empty() ? "" : "\n") + plan.stages[i].id + ": " + complaint;
  }
  if (!complaints.empty()) throw Error(ErrorKind::config, complaints);
}

}  // namespace millrace::inline v1
