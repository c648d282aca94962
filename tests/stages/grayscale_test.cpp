// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <cstring>
#include <opencv2/core.hpp>

#include "support/catch.hpp"
#include "support/image_stage.hpp"
#include "support/pictures.hpp"

using namespace millrace;
using namespace millrace::testing;

namespace {

std::shared_ptr<const std::vector<std::byte>> profile_of(const char* space) {
  auto profile = std::make_shared<std::vector<std::byte>>(128);
  std::memcpy(profile->data() + 16, space, 4);
  return profile;
}

template <class Sample>
double luma_at(const cv::Mat& pixels, int y, int x) {
  const auto* p = pixels.ptr<Sample>(y) + x * pixels.channels();
  const double luma = 0.114 * p[0] + 0.587 * p[1] + 0.299 * p[2];
  if (pixels.channels() == 3) return luma;
  const double most = std::numeric_limits<Sample>::max();
  return luma * p[3] / most + most - p[3];
}

}  // namespace

TEST_CASE("grayscale gives BT.601 luma over white at either depth", "[stage][grayscale]") {
  const int type = GENERATE(CV_8UC3, CV_8UC4, CV_16UC3, CV_16UC4);
  const cv::Size size = GENERATE(cv::Size(1, 1), cv::Size(53, 37));
  const cv::Mat colour = noise(size, type, 5);
  const cv::Mat before = colour.clone();
  const cv::Mat gray = run_stage("grayscale", {}, picture(colour)).pixels;
  REQUIRE(gray.type() == CV_MAKETYPE(CV_MAT_DEPTH(type), 1));
  double worst = 0;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      worst = std::max(
          worst,
          gray.depth() == CV_8U
              ? std::abs(gray.at<std::uint8_t>(y, x) - luma_at<std::uint8_t>(colour, y, x))
              : std::abs(gray.at<std::uint16_t>(y, x) - luma_at<std::uint16_t>(colour, y, x)));
  CHECK(worst < 1.51);
  CHECK(difference(colour, before) == 0);
}

TEST_CASE("grayscale keeps white white, and gray levels as they are", "[stage][grayscale]") {
  const cv::Mat levels = gradient({64, 4}, CV_16UC3);
  cv::Mat expected;
  cv::extractChannel(levels, expected, 0);
  CHECK(difference(run_stage("grayscale", {}, picture(levels)).pixels, expected) == 0);
  const cv::Mat white(2, 2, CV_16UC4, cv::Scalar::all(65535));
  CHECK(run_stage("grayscale", {}, picture(white)).pixels.at<std::uint16_t>(1, 1) == 65535);
}

TEST_CASE("grayscale drops a profile of colours and keeps one of gray", "[stage][grayscale]") {
  Image image = picture(noise({4, 4}, CV_8UC3));
  image.icc_profile = profile_of("RGB ");
  CHECK(run_stage("grayscale", {}, image).icc_profile == nullptr);
  image.pixels = noise({4, 4}, CV_8UC1);
  CHECK(run_stage("grayscale", {}, image).icc_profile == nullptr);
  image.icc_profile = profile_of("GRAY");
  CHECK(run_stage("grayscale", {}, image).icc_profile == image.icc_profile);
}

TEST_CASE("grayscale asks upstream for gray and passes the wanted size on", "[stage][grayscale]") {
  Demand downstream;
  downstream.target_size = [](cv::Size full) { return full / 2; };
  const Demand demand = make_stage("grayscale", {})->demand(downstream);
  CHECK(demand.gray);
  CHECK(demand.target_size({8, 6}) == cv::Size(4, 3));
}
