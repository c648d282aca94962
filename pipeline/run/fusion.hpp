// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// For each stage of the plan, the stage in front of it on whose workers it works, without a queue
/// between them; none for the others. Adjacent CPU-bound stages are fused where each is the other's
/// only neighbour on that side, is not isolated, and the file asks for no queue or workers of its
/// own; behind a stage that splits, what it makes is to be worked on side by side, so nothing is
/// fused there. The results are those of the plan without fusion.
std::vector<std::optional<std::size_t>> fused_into(const Plan& plan);

}  // namespace millrace::inline v1
