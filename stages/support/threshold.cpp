// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/threshold.hpp"

#include <algorithm>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "stages/support/bands.hpp"

namespace millrace::inline v1 {
namespace {

constexpr int rows_between_checks = 64;
constexpr std::int64_t pixels_at_once = 1 << 18;  // about 1 ms

/// Sums over the columns of a window that slides down, and their running totals from the left, so
/// that a window's sum is a difference of two. Doubles hold them exactly: 32767 rows of 2^15
/// columns of 255^2 stay below 2^53.
class ColumnSums {
 public:
  explicit ColumnSums(int columns)
      : sums_(columns), squares_(columns), totals_(columns + 1), square_totals_(columns + 1) {}

  void add(const std::uint8_t* row) {
    for (std::size_t x = 0; x < sums_.size(); ++x) {
      sums_[x] += row[x];
      squares_[x] += row[x] * row[x];
    }
  }
  void subtract(const std::uint8_t* row) {
    for (std::size_t x = 0; x < sums_.size(); ++x) {
      sums_[x] -= row[x];
      squares_[x] -= row[x] * row[x];
    }
  }
  void total() {
    for (std::size_t x = 0; x < sums_.size(); ++x) {
      totals_[x + 1] = totals_[x] + sums_[x];
      square_totals_[x + 1] = square_totals_[x] + squares_[x];
    }
  }
  double sum(int begin, int end) const { return totals_[end] - totals_[begin]; }
  double square_sum(int begin, int end) const {
    return square_totals_[end] - square_totals_[begin];
  }

 private:
  std::vector<std::int32_t> sums_, squares_;
  std::vector<double> totals_, square_totals_;
};

/// Whether a sample lies above the threshold. Squared, as p - m (1 - k) > m k s / 128, which spares
/// the root.
std::uint8_t judge(double sample, double sum, double square_sum, double pixels, double k) {
  const double mean = sum / pixels;
  const double variance = std::max(0.0, square_sum / pixels - mean * mean);
  const double left = sample - mean * (1 - k);
  const double factor = mean * k / 128;
  return left > 0 && left * left > factor * factor * variance ? 255 : 0;
}

}  // namespace

cv::Mat otsu(const cv::Mat& gray) {
  cv::Mat to;
  cv::threshold(gray, to, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
  return to;
}

namespace {

/// The rows [first, last) of the result.
void judge_rows(const Context& context, const cv::Mat& gray, int reach, double k, int first,
                int last, cv::Mat& to) {
  ColumnSums sums(gray.cols);
  int begin = std::max(0, first - reach), end = begin;
  for (int y = first; y < last; ++y) {
    if (y % rows_between_checks == 0) context.check();
    for (; end < gray.rows && end <= y + reach; ++end) sums.add(gray.ptr(end));
    for (; begin < y - reach; ++begin) sums.subtract(gray.ptr(begin));
    sums.total();

    const std::uint8_t* in = gray.ptr(y);
    std::uint8_t* out = to.ptr(y);
    const int rows = end - begin;
    const auto judge_clipped = [&](int x) {
      const int left = std::max(0, x - reach), right = std::min(gray.cols, x + reach + 1);
      out[x] = judge(in[x], sums.sum(left, right), sums.square_sum(left, right),
                     static_cast<double>(right - left) * rows, k);
    };
    const int inner_begin = std::min(reach, gray.cols);
    const int inner_end = std::max(inner_begin, gray.cols - reach);
    const double pixels = (2.0 * reach + 1) * rows;
    for (int x = 0; x < inner_begin; ++x) judge_clipped(x);
    for (int x = inner_begin; x < inner_end; ++x)
      out[x] = judge(in[x], sums.sum(x - reach, x + reach + 1),
                     sums.square_sum(x - reach, x + reach + 1), pixels, k);
    for (int x = inner_end; x < gray.cols; ++x) judge_clipped(x);
  }
}

}  // namespace

cv::Mat sauvola(const Context& context, const cv::Mat& gray, int window, double k) {
  const int reach = std::min(window, widest_window) / 2;
  cv::Mat to(gray.size(), CV_8UC1);
  // Each band adds up a window's rows before its first: with as many of its own, that is little.
  const int band = rows_of_band(pixels_at_once, gray.cols, 2 * reach + 1);
  for_bands(context, gray.rows, band,
            [&](int first, int last) { judge_rows(context, gray, reach, k, first, last, to); });
  return to;
}

}  // namespace millrace::inline v1
