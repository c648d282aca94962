// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#if defined(__x86_64__)

#include <immintrin.h>

#include <cstddef>
#include <cstring>

#include "stages/support/resample_rows.hpp"

// Attributes on functions and a check at run time: target_clones needs ifunc, which does not go
// together with sanitizers, and a file compiled with -mavx2 leaks its inline functions to others.
namespace millrace::inline v1 {
namespace {

__attribute__((target("avx2"))) inline __m256i load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

__attribute__((target("avx2"))) inline int load_int(const void* from) {
  int value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

/// add_rows() for 32 samples. Rows go in pairs: _mm256_madd_epi16 multiplies and adds two.
__attribute__((target("avx2"))) inline void add_32(const std::uint8_t* const* rows,
                                                   const std::int16_t* weights, int taps, int from,
                                                   __m128i shift, __m256i half, std::int16_t* to) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i sums[4] = {half, half, half, half};
  for (int k = 0; k < taps; k += 2) {
    const __m256i weight = _mm256_set1_epi32(load_int(weights + k));
    const __m256i a = load(rows[k] + from);
    const __m256i b = load(rows[k + 1] + from);
    const __m256i low = _mm256_unpacklo_epi8(a, b);
    const __m256i high = _mm256_unpackhi_epi8(a, b);
    const __m256i pairs[4] = {_mm256_unpacklo_epi8(low, zero), _mm256_unpackhi_epi8(low, zero),
                              _mm256_unpacklo_epi8(high, zero), _mm256_unpackhi_epi8(high, zero)};
    for (int i = 0; i < 4; ++i)
      sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(pairs[i], weight));
  }
  for (__m256i& sum : sums) sum = _mm256_sra_epi32(sum, shift);
  const __m256i low = _mm256_packs_epi32(sums[0], sums[1]);   // samples 0-7 and 16-23
  const __m256i high = _mm256_packs_epi32(sums[2], sums[3]);  // samples 8-15 and 24-31
  auto* out = reinterpret_cast<__m256i*>(to + from);
  _mm256_storeu_si256(out, _mm256_permute2x128_si256(low, high, 0x20));
  _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(low, high, 0x31));
}

/// Four outputs of a one-channel row: a dot product each, added up crosswise at the end.
__attribute__((target("avx2"))) void filter_gray(const std::int16_t* row, const FilterTaps& taps,
                                                 const FixedTaps& fixed, std::uint8_t* to) {
  const int shift = fixed.bits + between_bits;
  const __m128i half = _mm_set1_epi32(1 << (shift - 1));
  const int outputs = taps.outputs();
  for (int i = 0; i < outputs; i += 4) {
    __m256i sums[4];
    for (int j = 0; j < 4; ++j) {
      const int at = i + j < outputs ? i + j : outputs - 1;
      const std::int16_t* from = row + taps.first[at];
      const std::int16_t* weights =
          fixed.weights.data() + static_cast<std::size_t>(at) * taps.stride;
      sums[j] = _mm256_setzero_si256();
      for (int k = 0; k < taps.used[at]; k += 16)
        sums[j] = _mm256_add_epi32(sums[j], _mm256_madd_epi16(load(from + k), load(weights + k)));
    }
    const __m256i four =
        _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    sum = _mm_sra_epi32(_mm_add_epi32(sum, half), _mm_cvtsi32_si128(shift));
    sum = _mm_packus_epi16(_mm_packs_epi32(sum, sum), sum);
    const int bytes = _mm_cvtsi128_si32(sum);
    std::memcpy(to + i, &bytes, i + 4 <= outputs ? 4 : outputs - i);
  }
}

/// One pixel of a colour row, four taps at a time: the lower half of a register takes taps 0 and 1,
/// the upper one 2 and 3; in each, a channel's two samples are brought side by side for the
/// multiply-add.
template <int channels>
__attribute__((target("avx2"))) void filter_colour(const std::int16_t* row, const FilterTaps& taps,
                                                   const FixedTaps& fixed, std::uint8_t* to) {
  const int shift = fixed.bits + between_bits;
  const __m128i half = _mm_set1_epi32(1 << (shift - 1));
  const __m256i together = channels == 3
                               ? _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                     0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, -1, -1, -1, -1))
                               : _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                     0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  const __m256i spread = _mm256_setr_epi8(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6,
                                          7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7);
  const int outputs = taps.outputs();
  for (int i = 0; i < outputs; ++i) {
    const std::int16_t* from = row + static_cast<std::ptrdiff_t>(taps.first[i]) * channels;
    const std::int16_t* weights = fixed.weights.data() + static_cast<std::size_t>(i) * taps.stride;
    __m256i sums = _mm256_setzero_si256();
    for (int k = 0; k < taps.used[i]; k += 4) {
      const auto* at = reinterpret_cast<const __m128i*>(from + k * channels);
      const auto* next = reinterpret_cast<const __m128i*>(from + (k + 2) * channels);
      const __m256i samples =
          _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(at)),
                                                      _mm_loadu_si128(next), 1),
                              together);
      long long four = 0;
      std::memcpy(&four, weights + k, sizeof(four));
      const __m256i weight = _mm256_shuffle_epi8(_mm256_set1_epi64x(four), spread);
      sums = _mm256_add_epi32(sums, _mm256_madd_epi16(samples, weight));
    }
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    sum = _mm_sra_epi32(_mm_add_epi32(sum, half), _mm_cvtsi32_si128(shift));
    sum = _mm_packus_epi16(_mm_packs_epi32(sum, sum), sum);
    const int bytes = _mm_cvtsi128_si32(sum);
    std::memcpy(to, &bytes, channels == 4 || i + 1 < outputs ? 4 : 3);
    to += channels;
  }
}

}  // namespace

__attribute__((target("avx2"))) void add_rows_avx2(const std::uint8_t* const* rows,
                                                   const std::int16_t* weights, int taps, int shift,
                                                   int samples, std::int16_t* to) {
  const __m128i by = _mm_cvtsi32_si128(shift);
  const __m256i half = _mm256_set1_epi32(1 << (shift - 1));
  int from = 0;
  for (; from + 32 <= samples; from += 32) add_32(rows, weights, taps, from, by, half, to);
  // The last block overlaps the one before.
  if (from < samples) add_32(rows, weights, taps, samples - 32, by, half, to);
}

void filter_row_avx2(int channels, const std::int16_t* row, const FilterTaps& taps,
                     const FixedTaps& fixed, std::uint8_t* to) {
  if (channels == 1) return filter_gray(row, taps, fixed, to);
  if (channels == 3) return filter_colour<3>(row, taps, fixed, to);
  filter_colour<4>(row, taps, fixed, to);
}

/// Without fused multiply-add, which would round otherwise than the plain code.
__attribute__((target("avx2"))) void add_float_rows_avx2(const float* const* rows,
                                                         const float* weights, int taps,
                                                         int samples, float* to) {
  for (int from = 0; from < samples; from += float_block) {
    __m256 sums[float_block / 8];
    for (__m256& sum : sums) sum = _mm256_setzero_ps();
    for (int k = 0; k < taps; ++k) {
      const __m256 weight = _mm256_set1_ps(weights[k]);
      for (int i = 0; i < float_block / 8; ++i) {
        const __m256 samples_of_row = _mm256_loadu_ps(rows[k] + from + i * 8);
        sums[i] = _mm256_add_ps(sums[i], _mm256_mul_ps(weight, samples_of_row));
      }
    }
    for (int i = 0; i < float_block / 8; ++i) _mm256_storeu_ps(to + from + i * 8, sums[i]);
  }
}

}  // namespace millrace::inline v1

#endif
