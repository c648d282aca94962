// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/resample.hpp"

#include <opencv2/core.hpp>

#include "millrace/error.hpp"
#include "support/catch.hpp"
#include "support/pictures.hpp"
#include "support/resample_reference.hpp"

using namespace millrace;
using namespace millrace::testing;

namespace {

double most_of(const cv::Mat& pixels) { return pixels.depth() == CV_16U ? 65535 : 255; }

/// Largest distance from the reference, with that clamped.
double distance(const cv::Mat& result, const cv::Mat& reference) {
  cv::Mat clamped, as_double;
  cv::min(cv::max(reference, 0), most_of(result), clamped);
  result.convertTo(as_double, CV_64F);
  return cv::norm(as_double, clamped, cv::NORM_INF);
}

}  // namespace

TEST_CASE("resampling is within a level of the kernel's sum in double precision", "[resample]") {
  const Simd simd = GENERATE(Simd::none, best_simd());
  const int type = GENERATE(CV_8UC1, CV_8UC3, CV_16UC1, CV_16UC3);
  const auto [from, to] = GENERATE(table<cv::Size, cv::Size>({{{97, 61}, {31, 20}},
                                                              {{64, 48}, {63, 47}},
                                                              {{200, 40}, {7, 3}},
                                                              {{40, 30}, {40, 11}},
                                                              {{13, 9}, {50, 31}},
                                                              {{300, 1}, {40, 1}},
                                                              {{1, 300}, {1, 40}},
                                                              {{1, 1}, {5, 4}},
                                                              {{5, 4}, {1, 1}},
                                                              {{90, 7}, {30, 21}},
                                                              {{33, 33}, {16, 16}}}));
  CAPTURE(type, from.width, from.height, to.width, to.height);
  const cv::Mat source = noise(from, type);
  const cv::Mat before = source.clone();
  const cv::Mat result = Resampler(simd).run(Context(), source, to);
  CHECK(distance(result, resample_reference(source, to)) < 1);
  CHECK(difference(source, before) == 0);
}

TEST_CASE("resampling gives the same with and without vector instructions", "[resample]") {
  const int type = GENERATE(from_range(pixel_types()));
  const cv::Size to = GENERATE(cv::Size(30, 41), cv::Size(131, 17), cv::Size(260, 199));
  const cv::Mat source = noise({130, 99}, type);
  CHECK(difference(Resampler(Simd::none).run(Context(), source, to),
                   Resampler().run(Context(), source, to)) == 0);
}

TEST_CASE("resampling works on part of a larger picture's memory", "[resample]") {
  const cv::Mat part = noise({90, 80}, CV_8UC3)(cv::Rect(11, 7, 61, 53));
  Resampler resampler;
  CHECK(difference(resampler.run(Context(), part, {20, 17}),
                   resampler.run(Context(), part.clone(), {20, 17})) == 0);
}

TEST_CASE("a resampler gives each picture what a fresh one gives", "[resample]") {
  Resampler used;
  for (const int type : pixel_types())
    for (const cv::Size from : {cv::Size(60, 44), cv::Size(31, 80)}) {
      const cv::Mat source = noise(from, type);
      CHECK(difference(used.run(Context(), source, {25, 19}),
                       Resampler().run(Context(), source, {25, 19})) == 0);
    }
}

TEST_CASE("a flat picture stays flat at any scale", "[resample]") {
  const int type = GENERATE(from_range(pixel_types()));
  const double level = GENERATE(0.0, 1.0, 77.0, 254.0, 255.0, 65535.0);
  const cv::Size to = GENERATE(cv::Size(1, 1), cv::Size(17, 9), cv::Size(99, 70), cv::Size(300, 5));
  if (level > 255 && CV_MAT_DEPTH(type) == CV_8U) return;
  const cv::Scalar pixel(level, level, level, 200);  // half transparent where there is alpha
  const cv::Mat result = Resampler().run(Context(), cv::Mat(64, 100, type, pixel), to);
  CHECK(difference(result, cv::Mat(to, type, pixel)) == 0);
}

TEST_CASE("the same size gives the same picture", "[resample]") {
  const int type = GENERATE(CV_8UC1, CV_8UC3, CV_16UC1, CV_16UC3);
  const cv::Mat source = noise({70, 45}, type);
  CHECK(difference(Resampler().run(Context(), source, source.size()), source) == 0);
  CHECK(difference(Resampler().run(Context(), source, {9, 4, 50, 31}, {50, 31}),
                   source(cv::Rect(9, 4, 50, 31))) == 0);
}

TEST_CASE("a part of a picture is resampled as in the whole", "[resample]") {
  const cv::Mat source = noise({120, 90}, CV_8UC3);
  const cv::Mat whole = Resampler().run(Context(), source, {40, 30});
  const cv::Mat part = Resampler().run(Context(), source, {30, 15, 45, 60}, {15, 20});
  CHECK(difference(part, whole(cv::Rect(10, 5, 15, 20))) == 0);
}

TEST_CASE("resampling does not shift the picture", "[resample]") {
  const int factor = GENERATE(2, 3, 5, 8);
  cv::Mat source(240, 240, CV_16UC1, cv::Scalar(0));
  source(cv::Rect(97, 120, 40, 24)) = 60000;  // its middle is at 117, 132
  const cv::Mat result = Resampler().run(Context(), source, cv::Size(240, 240) / factor);
  double sum = 0, x_sum = 0, y_sum = 0;
  for (int y = 0; y < result.rows; ++y)
    for (int x = 0; x < result.cols; ++x) {
      const double value = result.at<std::uint16_t>(y, x);
      sum += value, x_sum += value * (x + 0.5), y_sum += value * (y + 0.5);
    }
  CHECK_THAT(x_sum / sum * factor, WithinAbs(117, 0.6));
  CHECK_THAT(y_sum / sum * factor, WithinAbs(132, 0.6));
}

TEST_CASE("a slope stays the same slope", "[resample]") {
  const int type = GENERATE(CV_8UC3, CV_16UC1);
  const cv::Mat result = Resampler().run(Context(), gradient({400, 300}, type), {100, 75});
  const cv::Rect inner(4, 4, 92, 67);  // at the border the kernel is cut off
  cv::Mat expected;
  gradient({100, 75}, CV_MAKETYPE(CV_16U, CV_MAT_CN(type))).convertTo(expected, CV_64F);
  cv::Mat as_double;
  result.convertTo(as_double, CV_64F, most_of(result) == 255 ? 257 : 1);
  // The middle of a pixel four times as wide lies 1.5 pixels farther in.
  const double shift = 65535 * (0.8 * 1.5 / 400 + 0.2 * 1.5 / 300);
  CHECK(cv::norm(as_double(inner) - cv::Scalar::all(shift), expected(inner), cv::NORM_INF) < 257);
}

TEST_CASE("what is transparent lends no colour to its neighbours", "[resample]") {
  const int depth = GENERATE(CV_8U, CV_16U);
  const double most = depth == CV_8U ? 255 : 65535;
  cv::Mat source(64, 64, CV_MAKETYPE(depth, 4), cv::Scalar(0, most, 0, 0));  // unseen green
  source(cv::Rect(0, 0, 31, 64)) = cv::Scalar(0, 0, most, most);             // red, seen
  const cv::Mat result = Resampler().run(Context(), source, {20, 20});
  cv::Mat channels[4];
  cv::split(result, channels);
  CHECK(cv::countNonZero(channels[1]) == 0);
  CHECK(cv::countNonZero((channels[3] > 0) & (channels[2] < most)) == 0);
  CHECK(cv::countNonZero((channels[3] > 0) & (channels[3] < most)) > 0);
}

TEST_CASE("resampling ends when its context ends", "[resample]") {
  const Context context;
  context.cancel();
  CHECK_THROWS_AS(Resampler().run(context, noise({40, 40}, CV_8UC3), {20, 20}), Error);
  CHECK_THROWS_AS(Resampler().run(context, noise({40, 40}, CV_16UC3), {20, 20}), Error);
}
