// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/skew.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "millrace/gray.hpp"
#include "millrace/parallel.hpp"
#include "stages/support/bands.hpp"
#include "stages/support/depth.hpp"
#include "stages/support/threshold.hpp"

namespace millrace::inline v1 {
namespace {

constexpr int working_side = 1000;  // the longer side, at least, of the reduced picture
constexpr int least_side = 32;      // smaller pictures hold no lines to speak of
// Worth a thread's while: 0.3 ms or more of averaging, of projecting.
constexpr std::int64_t samples_at_once = 1 << 20;
constexpr std::size_t points_at_once = 250'000;
constexpr std::size_t least_points = 200;
constexpr std::size_t most_points = 60000;  // more do not sharpen the peak
constexpr double coarse_step = 0.25;        // degrees
constexpr double fine_step = 0.05;
constexpr float golden_section = 0.618034F;
constexpr double least_sweep = 15;  // degrees; fewer show too little of the ground
// Of the peak over the sweep's median: as a multiple, and in median absolute deviations. Scanned
// pages reach 1.6 to 8 and 20 to 400; photos, drawings and sideways pages stay below 1.7 or 13.
constexpr double least_height = 1.5;
constexpr double least_prominence = 16;

/// The lower edges of ink, relative to the middle of the picture.
struct EdgePoints {
  std::vector<float> x, y;
  int reach = 0;  ///< No point is farther than this from the middle.
};

/// Means of squares of `factor` pixels; what is left over at the right and the bottom is not seen.
cv::Mat reduced(const Context& context, const cv::Mat& pixels, int factor) {
  if (factor == 1) return pixels;
  cv::Mat small(pixels.rows / factor, pixels.cols / factor, pixels.type());
  const int band = rows_of_band(samples_at_once, std::int64_t{pixels.cols} * factor);
  for_bands(context, small.rows, band, [&](int first, int last) {
    const cv::Rect from(0, first * factor, small.cols * factor, (last - first) * factor);
    cv::Mat to = small.rowRange(first, last);
    cv::resize(pixels(from), to, to.size(), 0, 0, cv::INTER_AREA);
  });
  return small;
}

EdgePoints lower_edges(const cv::Mat& ink) {
  EdgePoints points;
  points.reach = static_cast<int>(std::hypot(ink.cols, ink.rows) / 2) + 2;
  std::vector<cv::Point> all;
  for (int y = 0; y + 1 < ink.rows; ++y) {
    const std::uint8_t* row = ink.ptr(y);
    const std::uint8_t* below = ink.ptr(y + 1);
    for (int x = 0; x < ink.cols; ++x)
      if (row[x] == 0 && below[x] != 0) all.emplace_back(x, y);
  }
  const std::size_t step = all.size() / most_points + 1;
  float within = 0;
  for (std::size_t i = 0; i < all.size(); i += step) {
    // Spread evenly over the pixel's height: whole coordinates would favour 0 degrees.
    within += golden_section;
    within -= std::floor(within);
    points.x.push_back(static_cast<float>(all[i].x) - static_cast<float>(ink.cols) / 2);
    points.y.push_back(static_cast<float>(all[i].y) - static_cast<float>(ink.rows) / 2 + within);
  }
  return points;
}

/// The sum of squared counts of the projection at an angle.
double sharpness(const EdgePoints& points, double degrees) {
  const double radians = degrees * std::numbers::pi / 180;
  const float cosine = static_cast<float>(std::cos(radians));
  const float sine = static_cast<float>(std::sin(radians));
  const float middle = static_cast<float>(points.reach);
  std::vector<int> bins(2 * static_cast<std::size_t>(points.reach) + 1);
  for (std::size_t i = 0; i < points.x.size(); ++i)
    ++bins[static_cast<std::size_t>(points.y[i] * cosine - points.x[i] * sine + middle)];
  double sum = 0;
  for (const int count : bins) sum += static_cast<double>(count) * count;
  return sum;
}

/// The sharpness at an angle, and at `steps` to either side of it.
std::vector<double> sweep_around(const Context& context, const EdgePoints& points, double middle,
                                 int steps, double step) {
  std::vector<double> sweep(2 * static_cast<std::size_t>(steps) + 1);
  parallel_for(context, 0, sweep.size(), points_at_once / points.x.size() + 1,
               [&](std::size_t first, std::size_t last) {
                 for (std::size_t i = first; i < last; ++i)
                   sweep[i] = sharpness(points, middle + (static_cast<int>(i) - steps) * step);
               });
  return sweep;
}

/// Where the parabola through three equidistant values has its top, in steps from the middle one.
double vertex(double before, double middle, double after) {
  const double bend = before - 2 * middle + after;
  return bend >= 0 ? 0 : std::clamp((before - after) / (2 * bend), -1.0, 1.0);
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Lines of text give one sharp peak over an even ground; a photo, or text that runs down the page,
/// gives hills.
bool stands_out(std::vector<double> sweep, double peak) {
  const double usual = median(sweep);
  for (double& value : sweep) value = std::abs(value - usual);
  return peak >= least_height * usual && peak - usual >= least_prominence * median(sweep);
}

}  // namespace

std::optional<double> text_skew(const Context& context, const cv::Mat& pixels, double max_angle) {
  const int factor = std::max(1, std::max(pixels.cols, pixels.rows) / working_side);
  if (std::min(pixels.cols, pixels.rows) / factor < least_side) return std::nullopt;
  const cv::Mat gray = to_8_bits(to_gray(context, reduced(context, pixels, factor)));
  const int window = std::max(15, gray.cols / 25);
  const EdgePoints points = lower_edges(sauvola(context, gray, window, 0.3));
  if (points.x.size() < least_points) return std::nullopt;

  const int steps = static_cast<int>(std::ceil(std::max(max_angle, least_sweep) / coarse_step));
  const auto sweep = sweep_around(context, points, 0, steps, coarse_step);
  const auto top = std::ranges::max_element(sweep);
  const double coarse = (static_cast<int>(top - sweep.begin()) - steps) * coarse_step;
  if (!stands_out(sweep, *top)) return std::nullopt;

  const int fine_steps = static_cast<int>(std::lround(coarse_step / fine_step));
  const auto fine = sweep_around(context, points, coarse, fine_steps, fine_step);
  const auto best = std::max_element(fine.begin() + 1, fine.end() - 1);
  const double at = static_cast<double>(best - fine.begin()) - fine_steps +
                    vertex(*(best - 1), *best, *(best + 1));
  const double degrees = coarse + at * fine_step;
  return std::abs(degrees) <= max_angle ? std::optional(degrees) : std::nullopt;
}

}  // namespace millrace::inline v1
