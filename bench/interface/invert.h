// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MILLRACE_BENCH_INVERT_H
#define MILLRACE_BENCH_INVERT_H

// NOLINTBEGIN: C has its own headers.
#include <stddef.h>
#include <stdint.h>

/// A row's negative, whatever the samples' depth.
static inline void invert_row(uint8_t* row, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) row[i] = (uint8_t)~row[i];
}
// NOLINTEND

#endif
