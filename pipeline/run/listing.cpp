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

/// The sources that each stage is fed by, however far upstream.
std::vector<std::set<std::size_t>> sources_above(const Plan& plan) {
  std::vector<std::set<std::size_t>> above(plan.stages.size());
  for (std::size_t i = 0; i < above.size(); ++i) {
    if (plan.stages[i].inputs.empty()) above[i].insert(i);
    for (const auto input : plan.stages[i].inputs)
      above[i].insert(above[input].begin(), above[input].end());
  }
  return above;
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

std::vector<Listed> list_inputs(const Plan& plan, const Context& context,
                                std::map<std::size_t, Error>* refused) {
  std::vector<std::size_t> sources;
  for (std::size_t i = 0; i < plan.stages.size(); ++i)
    if (plan.stages[i].inputs.empty()) sources.push_back(i);
  std::vector<std::vector<Listed>> lists(sources.size());
  std::vector<std::optional<Error>> errors(sources.size());
  try {
    parallel_each(context, sources_at_once, sources.size(),
                  [&](const Context& here, std::size_t i) {
                    try {
                      list_one(plan.stages[sources[i]], sources[i], here, lists[i]);
                    } catch (const Error& error) {
                      if (!refused || here.done()) throw;
                      errors[i] = error;
                    }
                  });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::cancelled || !context.done()) throw;
  }
  std::vector<Listed> inputs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::ranges::move(lists[i], std::back_inserter(inputs));
    if (errors[i]) refused->emplace(sources[i], *errors[i]);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].origin.index = i;
  return inputs;
}

std::map<std::size_t, OutputForecast> forecast_outputs(const Plan& plan,
                                                       const std::vector<Listed>& inputs) {
  const auto outputs = std::make_shared<RunOutputs>();
  for (const auto& input : inputs) outputs->add_input(input.origin);
  const auto above = sources_above(plan);
  std::map<std::size_t, OutputForecast> forecasts;
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    auto* planner = dynamic_cast<OutputPlanner*>(plan.stages[i].stage.get());
    if (!planner) continue;
    std::vector<const Origin*> reaching;
    for (const auto& input : inputs)
      if (!input.failure && above[i].contains(input.source)) reaching.push_back(&input.origin);
    forecasts[i] = planner->prepare(reaching, outputs);
  }
  return forecasts;
}

void prepare_outputs(const Plan& plan, const std::vector<Listed>& inputs) {
  std::string complaints;
  for (const auto& [stage, forecast] : forecast_outputs(plan, inputs))
    for (const auto& complaint : forecast.complaints)
      complaints += (complaints.empty() ? "" : "\n") + plan.stages[stage].id + ": " + complaint;
  if (!complaints.empty()) throw Error(ErrorKind::config, complaints);
}

}  // namespace millrace::inline v1
