// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/resample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stages/support/alpha.hpp"
#include "stages/support/bands.hpp"

namespace millrace::inline v1 {
namespace {

constexpr int rows_between_checks = 16;
constexpr std::int64_t work_at_once = 1 << 24;  // multiplications: about 1 ms with SIMD
constexpr int least_float_rows = 64;            // since each band loads some rows once more

template <class Sample>
Sample to_sample(float value) {
  constexpr float most = std::numeric_limits<Sample>::max();
  return static_cast<Sample>(std::clamp(value, 0.0F, most) + 0.5F);
}

/// Dividing by an alpha below half a step would blow up noise; such a pixel is not seen anyway.
template <class Sample>
void store_divided(const float* sums, Sample* to) {
  constexpr float most = std::numeric_limits<Sample>::max();
  const float alpha = std::min(sums[3], most);
  const float factor = alpha < 0.5F ? 0 : most / alpha;
  for (int c = 0; c < 3; ++c) to[c] = to_sample<Sample>(sums[c] * factor);
  to[3] = to_sample<Sample>(alpha);
}

/// Four lanes at a time: the samples of a colour pixel (of three, the fourth lane is for nothing),
/// or the products of four gray pixels.
template <int channels, class Sample>
void filter_float_row(const float* row, const FilterTaps& taps, const float* all_weights,
                      bool divide, Sample* to) {
  constexpr int step = channels == 1 ? 4 : 1;
  for (int i = 0; i < taps.outputs(); ++i, to += channels) {
    const float* weights = all_weights + static_cast<std::size_t>(i) * taps.stride;
    const float* from = row + static_cast<std::ptrdiff_t>(taps.first[i]) * channels;
    float sums[4] = {};
    for (int k = 0; k < taps.used[i]; k += step)
      for (int lane = 0; lane < 4; ++lane)
        sums[lane] += weights[k + (channels == 1 ? lane : 0)] * from[k * channels + lane];
    if (channels == 1) sums[0] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    if (divide)
      store_divided(sums, to);
    else
      for (int c = 0; c < channels; ++c) to[c] = to_sample<Sample>(sums[c]);
  }
}

/// A row as floats, colours times alpha / most where `multiply`.
template <class Sample>
void load_row(const Sample* row, int samples, bool multiply, float* to) {
  if (!multiply) {
    for (int i = 0; i < samples; ++i) to[i] = row[i];
    return;
  }
  constexpr float most = std::numeric_limits<Sample>::max();
  for (int i = 0; i < samples; i += 4) {
    const float alpha = row[i + 3];
    for (int c = 0; c < 3; ++c) to[i + c] = static_cast<float>(row[i + c]) * alpha / most;
    to[i + 3] = alpha;
  }
}

}  // namespace

void Resampler::Axis::prepare(double new_begin, double new_length, int new_inputs, int new_outputs,
                              int new_multiple, int max_bits) {
  if (begin == new_begin && length == new_length && inputs == new_inputs &&
      outputs == new_outputs && multiple == new_multiple)
    return;
  taps = make_filter_taps(new_begin, new_length, new_inputs, new_outputs, new_multiple);
  fixed = to_fixed(taps, max_bits);
  begin = new_begin, length = new_length;
  inputs = new_inputs, outputs = new_outputs, multiple = new_multiple;
}

cv::Mat Resampler::run(const Context& context, const cv::Mat& source, const cv::Rect2d& area,
                       cv::Size size) {
  // 2^15 (a sample between the passes) * 2^15 * 1.5 (the weights' absolute sum) fits 32 bits; so
  // does 2^8 * 2^20 * 1.5 before it.
  across_.prepare(area.x, area.width, source.cols, size.width, row_multiple(source.channels()), 15);
  down_.prepare(area.y, area.height, source.rows, size.height, 2, 20);
  cv::Mat to(size, source.type());
  if (source.depth() == CV_16U)
    run_floats<std::uint16_t>(context, source, to);
  else if (source.channels() == 4 && !is_opaque(source))
    run_floats<std::uint8_t>(context, source, to);
  else
    run_bytes(context, source, to);
  return to;
}

std::int64_t Resampler::work_per_row(const cv::Mat& source) const {
  const std::int64_t down = std::int64_t{source.cols} * source.channels() * down_.taps.stride;
  return down + std::int64_t{across_.taps.outputs()} * source.channels() * across_.taps.stride;
}

void Resampler::run_bytes(const Context& context, const cv::Mat& source, cv::Mat& to) {
  for_bands(context, to.rows, rows_of_band(work_at_once, work_per_row(source)),
            [&](int first, int last) { fill_bytes(source, first, last, to); });
}

void Resampler::fill_bytes(const cv::Mat& source, int first, int last, cv::Mat& to) const {
  const int samples = source.cols * source.channels();
  std::vector<std::int16_t> row(static_cast<std::size_t>(samples) + between_slack);
  std::vector<const std::uint8_t*> rows(down_.taps.stride);
  for (int y = first; y < last; ++y) {
    const int taps = (down_.taps.used[y] + 1) / 2 * 2;
    for (int k = 0; k < taps; ++k)
      rows[k] = source.ptr(std::min(down_.taps.first[y] + k, source.rows - 1));
    add_rows(simd_, rows.data(),
             down_.fixed.weights.data() + static_cast<std::size_t>(y) * down_.taps.stride, taps,
             down_.fixed.bits, samples, row.data());
    filter_row(simd_, to.channels(), row.data(), across_.taps, across_.fixed, to.ptr(y));
  }
}

template <class Sample>
void Resampler::run_floats(const Context& context, const cv::Mat& source, cv::Mat& to) {
  const bool alpha = source.channels() == 4 && !is_opaque(source);
  across_weights_.assign(across_.taps.weights.begin(), across_.taps.weights.end());
  down_weights_.assign(down_.taps.weights.begin(), down_.taps.weights.end());
  const int band = rows_of_band(work_at_once, work_per_row(source), least_float_rows);
  for_bands(context, to.rows, band, [&](int first, int last) {
    fill_floats<Sample>(context, source, alpha, first, last, to);
  });
}

template <class Sample>
void Resampler::fill_floats(const Context& context, const cv::Mat& source, bool alpha,
                            int first_row, int last_row, cv::Mat& to) const {
  const int channels = source.channels();
  const int samples = source.cols * channels;
  const int width = (samples + float_block - 1) / float_block * float_block;
  const int ring = *std::ranges::max_element(down_.taps.used);
  std::vector<float> loaded_rows(static_cast<std::size_t>(width) * ring);
  std::vector<float> sums(static_cast<std::size_t>(width) + between_slack);

  std::vector<const float*> rows;
  int loaded = 0;  // rows below this one are in the ring, or were
  for (int y = first_row; y < last_row; ++y) {
    if (y % rows_between_checks == 0) context.check();
    const int first = down_.taps.first[y];
    const int end = first + down_.taps.used[y];
    for (loaded = std::max(loaded, first); loaded < end; ++loaded)
      load_row(source.ptr<Sample>(loaded), samples, alpha,
               loaded_rows.data() + static_cast<std::size_t>(loaded % ring) * width);
    rows.clear();
    for (int row = first; row < end; ++row)
      rows.push_back(loaded_rows.data() + static_cast<std::size_t>(row % ring) * width);
    add_float_rows(simd_, rows.data(),
                   down_weights_.data() + static_cast<std::size_t>(y) * down_.taps.stride,
                   static_cast<int>(rows.size()), width, sums.data());
    auto* out = to.ptr<Sample>(y);
    if (channels == 1)
      filter_float_row<1>(sums.data(), across_.taps, across_weights_.data(), false, out);
    else if (channels == 3)
      filter_float_row<3>(sums.data(), across_.taps, across_weights_.data(), false, out);
    else
      filter_float_row<4>(sums.data(), across_.taps, across_weights_.data(), alpha, out);
  }
}

}  // namespace millrace::inline v1
