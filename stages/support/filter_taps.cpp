// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/filter_taps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace millrace::inline v1 {
namespace {

double sinc(double x) {
  if (std::abs(x) < 1e-9) return 1;
  const double px = std::numbers::pi * x;
  return std::sin(px) / px;
}

double lanczos3(double x) { return std::abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0; }

double keys_cubic(double x) {
  x = std::abs(x);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  if (x < 2) return ((-0.5 * x + 2.5) * x - 4) * x + 2;
  return 0;
}

}  // namespace

FilterTaps make_filter_taps(double begin, double length, int inputs, int outputs, int multiple) {
  const double scale = length / outputs;
  const bool shrinks = scale >= 1;
  const double stretch = shrinks ? scale : 1;
  const double reach = (shrinks ? 3 : 2) * stretch;

  FilterTaps taps;
  std::vector<std::vector<double>> rows(outputs);
  for (int i = 0; i < outputs; ++i) {
    const double centre = begin + (i + 0.5) * scale;
    const int low = std::clamp(static_cast<int>(std::floor(centre - reach)), 0, inputs - 1);
    const int high = std::clamp(static_cast<int>(std::ceil(centre + reach)), low + 1, inputs);
    int first = low;
    auto& row = rows[i];
    for (int k = low; k < high; ++k) {
      const double at = (k + 0.5 - centre) / stretch;
      const double weight = shrinks ? lanczos3(at) : keys_cubic(at);
      row.push_back(std::abs(weight) < 1e-7 ? 0 : weight);
    }
    while (row.size() > 1 && row.back() == 0) row.pop_back();
    while (row.size() > 1 && row.front() == 0) row.erase(row.begin()), ++first;
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& weight : row)
      weight = sum == 0 ? 1.0 / static_cast<double>(row.size()) : weight / sum;
    taps.first.push_back(first);
    taps.used.push_back(static_cast<int>(row.size()));
  }

  const int most = *std::ranges::max_element(taps.used);
  taps.stride = (most + multiple - 1) / multiple * multiple;
  taps.weights.assign(static_cast<std::size_t>(outputs) * taps.stride, 0.0);
  for (int i = 0; i < outputs; ++i)
    std::ranges::copy(rows[i], taps.weights.begin() + static_cast<std::ptrdiff_t>(i) * taps.stride);
  return taps;
}

FixedTaps to_fixed(const FilterTaps& taps, int max_bits) {
  double largest = 0;
  for (const double weight : taps.weights) largest = std::max(largest, std::abs(weight));
  FixedTaps fixed;
  fixed.bits = max_bits;
  while (std::ldexp(largest, fixed.bits) > std::numeric_limits<std::int16_t>::max() - 1)
    --fixed.bits;

  fixed.weights.resize(taps.weights.size());
  for (int i = 0; i < taps.outputs(); ++i) {
    // Rounding the running sum keeps the total exact, so that a flat area stays as it is.
    double sum = 0;
    long before = 0;
    for (int k = 0; k < taps.stride; ++k) {
      const std::size_t at = static_cast<std::size_t>(i) * taps.stride + k;
      sum += taps.weights[at];
      const long now = std::lround(std::ldexp(sum, fixed.bits));
      fixed.weights[at] = static_cast<std::int16_t>(now - before);
      before = now;
    }
  }
  return fixed;
}

}  // namespace millrace::inline v1
