// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <vector>

#include "millrace/context.hpp"
#include "stages/support/filter_taps.hpp"
#include "stages/support/resample_rows.hpp"

namespace millrace::inline v1 {

/// Gives pictures another size with the filters of make_filter_taps(), separably and without any
/// shortcut before it; in bands of rows, on idle CPUs too. Keeps its tables from one picture to the
/// next: pictures of one folder tend to have one size. [one thread]
class Resampler {
 public:
  explicit Resampler(Simd simd = best_simd()) : simd_(simd) {}

  /// `source`: 8 or 16 bits, 1, 3 or 4 channels, of which the fourth is alpha, which is multiplied
  /// in before and divided out after. `area`, in source pixels and fractions of them, is what the
  /// result shows. Samples outside the source weigh nothing. Same depth and channels as `source`.
  cv::Mat run(const Context& context, const cv::Mat& source, const cv::Rect2d& area, cv::Size size);
  cv::Mat run(const Context& context, const cv::Mat& source, cv::Size size) {
    return run(context, source, {0, 0, double(source.cols), double(source.rows)}, size);
  }

 private:
  /// One axis' taps and what they were made for.
  struct Axis {
    double begin = 0, length = 0;
    int inputs = 0, outputs = 0, multiple = 0;
    FilterTaps taps;
    FixedTaps fixed;
    void prepare(double begin, double length, int inputs, int outputs, int multiple, int max_bits);
  };

  /// Multiplications for a row of the result.
  std::int64_t work_per_row(const cv::Mat& source) const;
  void run_bytes(const Context& context, const cv::Mat& source, cv::Mat& to);
  template <class Sample>
  void run_floats(const Context& context, const cv::Mat& source, cv::Mat& to);

  // The rows [first, last) of the result. [many threads at once]
  void fill_bytes(const cv::Mat& source, int first, int last, cv::Mat& to) const;
  template <class Sample>
  void fill_floats(const Context& context, const cv::Mat& source, bool alpha, int first, int last,
                   cv::Mat& to) const;

  Simd simd_;
  Axis across_, down_;
  std::vector<float> across_weights_, down_weights_;
};

}  // namespace millrace::inline v1
