// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstdint>

#include "millrace/parallel.hpp"

namespace millrace::inline v1 {

/// Rows of a picture for bands that are worth a thread's while: `work` in all, of which a row is
/// `work_per_row`, and no fewer than `least`.
constexpr int rows_of_band(std::int64_t work, std::int64_t work_per_row, int least = 1) {
  return static_cast<int>(std::clamp<std::int64_t>(work / std::max<std::int64_t>(work_per_row, 1),
                                                   std::max(least, 1), INT32_MAX));
}

/// parallel_for() over a picture's rows: `body(first, last)` for bands of `band` rows.
template <class Body>
void for_bands(const Context& context, int rows, int band, const Body& body) {
  parallel_for(context, 0, static_cast<std::size_t>(rows), static_cast<std::size_t>(band),
               [&body](std::size_t first, std::size_t last) {
                 body(static_cast<int>(first), static_cast<int>(last));
               });
}

}  // namespace millrace::inline v1
