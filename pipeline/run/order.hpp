// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// Whether a stage of the plan takes items in the sources' order: each sink when the run says so,
/// and a stage that wants it. A source's come in order by themselves.
inline bool takes_in_order(const Plan& plan, const PlannedStage& stage) {
  if (stage.inputs.empty()) return false;
  return (plan.run.order == Order::preserve && stage.outputs.empty()) ||
         (stage.stage->concurrency() == Concurrency::serial_ordered && !stage.takes_failures);
}

}  // namespace millrace::inline v1
