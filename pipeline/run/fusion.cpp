// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/fusion.hpp"

#include "run/order.hpp"

namespace millrace::inline v1 {
namespace {

bool can_share_workers(const PlannedStage& front, const PlannedStage& stage) {
  return front.outputs.size() == 1 && stage.inputs.size() == 1 && !stage.takes_failures &&
         !front.own_pool && !stage.own_pool && !front.isolate && !stage.isolate &&
         front.workers == stage.workers && front.stage->load() == Load::cpu &&
         stage.stage->load() == Load::cpu && !front.stage->splits();
}

}  // namespace

std::vector<std::optional<std::size_t>> fused_into(const Plan& plan) {
  std::vector<std::optional<std::size_t>> fused(plan.stages.size());
  if (!plan.run.fuse) return fused;
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const auto& stage = plan.stages[i];
    if (stage.inputs.empty()) continue;
    const std::size_t front = stage.inputs[0];
    // One that keeps the order has one queue for all who bring something.
    if (!takes_in_order(plan, stage) && can_share_workers(plan.stages[front], stage))
      fused[i] = front;
  }
  return fused;
}

}  // namespace millrace::inline v1
