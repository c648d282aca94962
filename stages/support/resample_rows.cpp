// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/resample_rows.hpp"

#include <algorithm>
#include <cstddef>

namespace millrace::inline v1 {
namespace {

std::uint8_t to_byte(int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); }

void add_rows_plain(const std::uint8_t* const* rows, const std::int16_t* weights, int taps,
                    int shift, int all_samples, std::int16_t* to) {
  constexpr int block = 256;
  for (int from = 0; from < all_samples; from += block) {
    const int samples = std::min(block, all_samples - from);
    int sums[block];
    std::fill_n(sums, samples, 1 << (shift - 1));
    for (int k = 0; k < taps; ++k) {
      const int weight = weights[k];
      const std::uint8_t* row = rows[k] + from;
      for (int i = 0; i < samples; ++i) sums[i] += weight * row[i];
    }
    for (int i = 0; i < samples; ++i)
      to[from + i] = static_cast<std::int16_t>(std::clamp(sums[i] >> shift, -32768, 32767));
  }
}

template <int channels>
void filter_row_plain(const std::int16_t* row, const FilterTaps& taps, const FixedTaps& fixed,
                      std::uint8_t* to) {
  const int shift = fixed.bits + between_bits;
  for (int i = 0; i < taps.outputs(); ++i) {
    const std::int16_t* weights = fixed.weights.data() + static_cast<std::size_t>(i) * taps.stride;
    const std::int16_t* from = row + static_cast<std::ptrdiff_t>(taps.first[i]) * channels;
    int sums[channels];
    std::fill_n(sums, channels, 1 << (shift - 1));
    for (int k = 0; k < taps.used[i]; ++k)
      for (int c = 0; c < channels; ++c) sums[c] += weights[k] * from[k * channels + c];
    for (int c = 0; c < channels; ++c) *to++ = to_byte(sums[c] >> shift);
  }
}

}  // namespace

void add_rows_avx2(const std::uint8_t* const* rows, const std::int16_t* weights, int taps,
                   int shift, int samples, std::int16_t* to);
void filter_row_avx2(int channels, const std::int16_t* row, const FilterTaps& taps,
                     const FixedTaps& fixed, std::uint8_t* to);

void add_float_rows_avx2(const float* const* rows, const float* weights, int taps, int samples,
                         float* to);

Simd best_simd() noexcept {
#if defined(__x86_64__)
  static const bool avx2 = __builtin_cpu_supports("avx2");
  return avx2 ? Simd::avx2 : Simd::none;
#else
  return Simd::none;
#endif
}

void add_rows(Simd simd, const std::uint8_t* const* rows, const std::int16_t* weights, int taps,
              int bits, int samples, std::int16_t* to) {
  const int shift = bits - between_bits;
#if defined(__x86_64__)
  if (simd == Simd::avx2 && samples >= 32)
    return add_rows_avx2(rows, weights, taps, shift, samples, to);
#endif
  add_rows_plain(rows, weights, taps, shift, samples, to);
}

void filter_row(Simd simd, int channels, const std::int16_t* row, const FilterTaps& taps,
                const FixedTaps& fixed, std::uint8_t* to) {
#if defined(__x86_64__)
  if (simd == Simd::avx2) return filter_row_avx2(channels, row, taps, fixed, to);
#endif
  if (channels == 1) return filter_row_plain<1>(row, taps, fixed, to);
  if (channels == 3) return filter_row_plain<3>(row, taps, fixed, to);
  filter_row_plain<4>(row, taps, fixed, to);
}

void add_float_rows(Simd simd, const float* const* rows, const float* weights, int taps,
                    int samples, float* to) {
#if defined(__x86_64__)
  if (simd == Simd::avx2) return add_float_rows_avx2(rows, weights, taps, samples, to);
#endif
  for (int from = 0; from < samples; from += float_block) {
    float sums[float_block] = {};
    for (int k = 0; k < taps; ++k)
      for (int i = 0; i < float_block; ++i) sums[i] += weights[k] * rows[k][from + i];
    std::copy_n(sums, float_block, to + from);
  }
}

}  // namespace millrace::inline v1
