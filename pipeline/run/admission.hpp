// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "millrace/semaphore.hpp"
#include "run/listing.hpp"
#include "run/token.hpp"

namespace millrace::inline v1 {

/// How many inputs of a plan may be under way at once.
std::size_t window_size(const Plan& plan);
/// Bytes of memory that they may take together.
std::uint64_t memory_size(const Plan& plan);

/// Lets inputs into a run: so many at once, and so many as the memory allows for. They come in one
/// after the other, so nothing overtakes a large one; one that needs more than there is takes all
/// of it, and runs alone. The oldest input under way is therefore always admitted. [one thread]
class Admission {
 public:
  explicit Admission(const Plan& plan);

  /// Waits for room for an input; none when the context ended first.
  std::optional<Admitted> admit(const Context& context, std::uint64_t bytes);

 private:
  Semaphore window_;
  Semaphore memory_;
};

/// The listed inputs of several sources in turns, so that none waits for the end of another.
std::vector<const Listed*> in_turns(const std::vector<Listed>& inputs);

}  // namespace millrace::inline v1
