// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/admission.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "concurrency/effective_memory.hpp"

namespace millrace::inline v1 {

/// Enough that no worker goes without an item, and a few to be listed and opened meanwhile.
std::size_t window_size(const Plan& plan) {
  std::size_t workers = 0;
  for (const auto& stage : plan.stages) workers += stage.workers;
  return std::max<std::size_t>(plan.run.in_flight.value_or(workers + 4), 1);
}

std::uint64_t memory_size(const Plan& plan) {
  return std::max<std::uint64_t>(plan.run.memory.value_or(effective_memory() / 2), 1);
}

Admission::Admission(const Plan& plan) : window_(window_size(plan)), memory_(memory_size(plan)) {}

std::optional<Admitted> Admission::admit(const Context& context, std::uint64_t bytes) {
  auto place = window_.acquire(context);
  if (!place) return std::nullopt;
  auto memory = memory_.acquire(context, std::min(bytes, memory_.total()));
  if (!memory) return std::nullopt;
  return Admitted{std::move(*place), std::move(*memory)};
}

std::vector<const Listed*> in_turns(const std::vector<Listed>& inputs) {
  std::map<std::size_t, std::size_t> counts;  // by source
  std::vector<std::tuple<std::size_t, std::size_t, const Listed*>> turns;
  for (const auto& input : inputs) turns.emplace_back(counts[input.source]++, input.source, &input);
  std::ranges::sort(turns);
  std::vector<const Listed*> order;
  for (const auto& turn : turns) order.push_back(std::get<const Listed*>(turn));
  return order;
}

}  // namespace millrace::inline v1
