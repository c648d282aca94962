// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "stages/support/filter_taps.hpp"

namespace millrace::inline v1 {

/// What the processor can do. Results are the same with either.
enum class Simd { none, avx2 };
Simd best_simd() noexcept;

/// The inner loops of resampling 8-bit pictures: rows are first added up with the weights of the
/// vertical taps, then each such row is resampled horizontally.

/// Fraction bits of a sample between the two passes: room for the filter's overshoot is left in 16
/// bits.
constexpr int between_bits = 6;
/// Samples that may be read behind the end of a row between the passes.
constexpr int between_slack = 64;

/// to[x] = sum over k < taps of weights[k] * rows[k][x], with `between_bits` fraction bits.
/// `taps` is even (a weight may be 0); a row has `samples` samples.
void add_rows(Simd simd, const std::uint8_t* const* rows, const std::int16_t* weights, int taps,
              int bits, int samples, std::int16_t* to);

/// One row of pixels with `channels` (1, 3 or 4) interleaved samples. The taps' stride is a
/// multiple of row_multiple(channels).
void filter_row(Simd simd, int channels, const std::int16_t* row, const FilterTaps& taps,
                const FixedTaps& fixed, std::uint8_t* to);
constexpr int row_multiple(int channels) { return channels == 1 ? 16 : 4; }

/// to[x] = sum over k < taps of weights[k] * rows[k][x], in this order. `samples` is a multiple of
/// float_block.
void add_float_rows(Simd simd, const float* const* rows, const float* weights, int taps,
                    int samples, float* to);
constexpr int float_block = 32;

}  // namespace millrace::inline v1
