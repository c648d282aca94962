// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "concurrency/slots.hpp"

namespace millrace::inline v1 {

/// The CPUs that this process may use, a slot for each: whoever works on one holds its slot. One
/// set for the process, so that runs side by side do not crowd the cores. [any thread, at once]
Slots& cpu_slots();

}  // namespace millrace::inline v1
