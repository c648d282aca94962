// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>

#include "concurrency/cpu_slots.hpp"

namespace millrace::inline v1 {

/// The CPU slot of a thread that works for one CPU-bound stage, or for several that are fused. It
/// is let go whenever the thread waits. [one thread]
class CpuShare {
 public:
  /// Waits for a slot unless there is one. False: the context ended first.
  bool hold(const Context& context, std::size_t rank) {
    if (!slot_) slot_ = cpu_slots().acquire(context, rank);
    return slot_.has_value();
  }
  bool is_held() const noexcept { return slot_.has_value(); }
  void let_go() noexcept { slot_.reset(); }

 private:
  std::optional<Slots::Slot> slot_;
};

}  // namespace millrace::inline v1
