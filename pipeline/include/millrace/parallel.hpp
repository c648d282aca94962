// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <functional>

#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// Work on many rows, tiles or angles of one item: calls `body` for parts of [begin, end), on this
/// thread and on as many more as there are CPUs that nobody uses. With every CPU at work on other
/// items that is this thread alone; on an idle machine it is all of it. Threads join where a CPU
/// falls free while there are parts left, and leave after their part where a stage waits for one.
///
/// Part i is [begin + i * grain, begin + (i + 1) * grain), the last one shorter; `grain` is at
/// least
/// 1. The cut is the same however many threads there are, but not who does which part, nor when:
/// parts write to places of their own. A part should be worth 0.2 ms, against 10 us that the first
/// helping thread costs; a range of one part costs nothing beside its call of `body`.
///
/// Returns when every part is done, having seen all that they wrote. Throws what a part threw (the
/// first of several; parts that have not begun are left out), and Error (cancelled) when the
/// context ends, which is asked before each part. Calls may be nested. [any thread, with or without
/// a CPU slot of its own]
///
///     parallel_for(context, 0, rows.size(), 64, [&](std::size_t first, std::size_t last) {
///       for (std::size_t i = first; i < last; ++i) sums[i] = sum_of(rows[i]);
///     });
void parallel_for(const Context& context, std::size_t begin, std::size_t end, std::size_t grain,
                  const std::function<void(std::size_t first, std::size_t last)>& body);

}  // namespace millrace::inline v1
