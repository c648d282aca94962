// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <opencv2/core.hpp>

#include "stages/support/threshold.hpp"
#include "support/catch.hpp"
#include "support/image_stage.hpp"
#include "support/pictures.hpp"

using namespace millrace;
using namespace millrace::testing;

namespace {

/// Sauvola's formula, each window's mean and deviation from scratch.
cv::Mat naive_sauvola(const cv::Mat& gray, int window, double k) {
  const int reach = window / 2;
  cv::Mat to(gray.size(), CV_8UC1);
  for (int y = 0; y < gray.rows; ++y)
    for (int x = 0; x < gray.cols; ++x) {
      const cv::Rect around = cv::Rect(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1) &
                              cv::Rect(0, 0, gray.cols, gray.rows);
      cv::Scalar mean, deviation;
      cv::meanStdDev(gray(around), mean, deviation);
      const double threshold = mean[0] * (1 + k * (deviation[0] / 128 - 1));
      to.at<std::uint8_t>(y, x) = gray.at<std::uint8_t>(y, x) > threshold ? 255 : 0;
    }
  return to;
}

/// The between-class variance when levels up to `threshold` are one class.
double separation(const cv::Mat& gray, int threshold) {
  double count[2] = {}, sum[2] = {};
  for (int y = 0; y < gray.rows; ++y)
    for (int x = 0; x < gray.cols; ++x) {
      const int level = gray.at<std::uint8_t>(y, x);
      ++count[level > threshold], sum[level > threshold] += level;
    }
  if (count[0] == 0 || count[1] == 0) return 0;
  const double apart = sum[0] / count[0] - sum[1] / count[1];
  return count[0] * count[1] * apart * apart;
}

bool is_black_and_white(const cv::Mat& p) {
  return p.type() == CV_8UC1 && cv::countNonZero((p != 0) & (p != 255)) == 0;
}

}  // namespace

TEST_CASE("Sauvola's threshold is that of the formula for any window", "[stage][binarize]") {
  const cv::Size size =
      GENERATE(cv::Size(1, 1), cv::Size(40, 1), cv::Size(1, 33), cv::Size(37, 29));
  const int window = GENERATE(1, 2, 3, 15, 37, 38, 101, 1000000);
  const double k = GENERATE(0.2, 0.34, 1.0);
  cv::Mat gray = noise(size, CV_8UC1, 11);
  gray.colRange(size.width / 2, size.width) /= 4;  // a shadow
  CAPTURE(size.width, size.height, window, k);
  const cv::Mat naive = naive_sauvola(gray, std::min(window, 2001), k);
  CHECK(cv::countNonZero(sauvola(Context(), gray, window, k) != naive) == 0);
}

TEST_CASE("Sauvola finds ink in light and in shadow", "[stage][binarize]") {
  cv::Mat page = text_page({400, 300}, 0);
  const cv::Mat ink = page < 128;
  for (int x = 0; x < page.cols; ++x) page.col(x) *= 1 - 0.75 * x / page.cols;  // a shadow
  const cv::Mat result = sauvola(Context(), page, 41, 0.34);
  CHECK(cv::countNonZero((result == 0) != ink) == 0);
  CHECK(cv::countNonZero((otsu(page) == 0) != ink) > 1000);
}

TEST_CASE("Otsu's threshold separates the two classes best", "[stage][binarize]") {
  const unsigned seed = GENERATE(1U, 2U, 3U);
  cv::Mat gray = noise({60, 40}, CV_8UC1, seed) / 3 + 20;
  gray(cv::Rect(0, 0, 60, 10 * static_cast<int>(seed))) += 100;
  double best = 0;
  for (int threshold = 0; threshold < 255; ++threshold)
    best = std::max(best, separation(gray, threshold));
  const cv::Mat result = otsu(gray);
  double lowest_white = 256, highest_black = -1;
  cv::minMaxLoc(gray, &lowest_white, nullptr, nullptr, nullptr, result == 255);
  cv::minMaxLoc(gray, nullptr, &highest_black, nullptr, nullptr, result == 0);
  REQUIRE(highest_black < lowest_white);
  CHECK_THAT(separation(gray, static_cast<int>(highest_black)) / best, WithinAbs(1, 1e-6));
}

TEST_CASE("binarize makes any picture black and white and keeps its input", "[stage][binarize]") {
  const int type = GENERATE(from_range(pixel_types()));
  const std::string method = GENERATE("otsu", "sauvola");
  const cv::Size size = GENERATE(cv::Size(1, 1), cv::Size(50, 3), cv::Size(64, 48));
  Image image = picture(noise(size, type));
  image.icc_profile = std::make_shared<std::vector<std::byte>>(128);
  const cv::Mat before = image.pixels.clone();
  const Image result = run_stage("binarize", {{"method", method}}, image);
  CHECK(is_black_and_white(result.pixels));
  CHECK(result.pixels.size() == size);
  CHECK(result.icc_profile == nullptr);
  CHECK(difference(image.pixels, before) == 0);
}

TEST_CASE("binarize gives the same for 8 and 16 bits", "[stage][binarize]") {
  const cv::Mat page = gradient({90, 70}, CV_8UC1) / 2 + text_page({90, 70}, 0) / 2;
  cv::Mat deep;
  page.convertTo(deep, CV_16U, 257);
  CHECK(difference(run_stage("binarize", {}, picture(page)).pixels,
                   run_stage("binarize", {}, picture(deep)).pixels) == 0);
}

TEST_CASE("binarize takes its window from the option, else from the resolution",
          "[stage][binarize]") {
  Image image = picture(noise({200, 120}, CV_8UC1));
  const auto with = [&](const Settings& settings) {
    return run_stage("binarize", settings, image).pixels;
  };
  CHECK(difference(with({{"window", "31"}}), naive_sauvola(image.pixels, 31, 0.34)) == 0);
  CHECK(difference(with({{"window", "25%"}}), naive_sauvola(image.pixels, 50, 0.34)) == 0);
  CHECK(difference(with({}), naive_sauvola(image.pixels, 15, 0.34)) == 0);
  image.resolution = Resolution{150, 150};
  CHECK(difference(with({{"k", "0.5"}}), naive_sauvola(image.pixels, 50, 0.5)) == 0);
}

TEST_CASE("a blank page comes out of binarize white", "[stage][binarize]") {
  const cv::Mat blank(80, 60, CV_8UC1, cv::Scalar(200));
  CHECK(cv::countNonZero(run_stage("binarize", {}, picture(blank)).pixels) == 80 * 60);
}

TEST_CASE("binarize asks upstream for gray at full size", "[stage][binarize]") {
  Demand downstream;
  downstream.target_size = [](cv::Size full) { return full / 2; };
  const Demand demand = make_stage("binarize", {})->demand(downstream);
  CHECK(demand.gray);
  CHECK_FALSE(demand.target_size);
}
