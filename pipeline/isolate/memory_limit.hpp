// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace millrace::inline v1 {

/// Keeps this process from taking more memory than `bytes` from here on, segments included:
/// allocation fails then, which C++ turns into std::bad_alloc. For good. Throws Error (resource)
/// where the system does not say what is in use.
void limit_memory(std::uint64_t bytes);

}  // namespace millrace::inline v1
