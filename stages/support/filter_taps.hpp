// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

namespace millrace::inline v1 {

/// The weights that make one axis of a resampled picture: sample i is the sum over k < used[i] of
/// weights[i * stride + k] * source[first[i] + k]. Each sample's weights sum to 1; those that fall
/// outside the source are left out and the rest made larger.
struct FilterTaps {
  int stride = 0;          ///< Weights per sample, the same for all; zeros follow those in use.
  std::vector<int> first;  ///< 0..source samples - 1
  std::vector<int> used;   ///< 1..stride
  std::vector<double> weights;

  int outputs() const { return static_cast<int>(first.size()); }
};

/// Taps for `outputs` samples that divide the stretch [begin, begin + length) of `inputs` source
/// samples evenly. Sample i covers [i, i + 1), its centre is at i + 0.5.
/// Shrinking: Lanczos with three lobes, as wide as the shrink factor (Duchon 1979, "Lanczos
/// filtering in one and two dimensions"). Enlarging: cubic convolution with a = -1/2 (Keys 1981,
/// equation 4), since Lanczos rings there.
/// `stride` is rounded up to a multiple of `multiple`.
FilterTaps make_filter_taps(double begin, double length, int inputs, int outputs, int multiple);

/// The same in fixed point: weights times 2^bits, each sample's sum exactly 2^bits.
struct FixedTaps {
  int bits = 0;
  std::vector<std::int16_t> weights;
};

/// With as many bits as the largest weight leaves room for, `max_bits` at most.
FixedTaps to_fixed(const FilterTaps& taps, int max_bits);

}  // namespace millrace::inline v1
