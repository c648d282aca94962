// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/cpu_slots.hpp"

#include "concurrency/effective_cpus.hpp"

namespace millrace::inline v1 {

Slots& cpu_slots() {
  static Slots slots(effective_cpus());
  return slots;
}

}  // namespace millrace::inline v1
