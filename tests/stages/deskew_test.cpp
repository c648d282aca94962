// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <opencv2/core.hpp>

#include "millrace/turn.hpp"
#include "stages/support/rotate.hpp"
#include "stages/support/skew.hpp"
#include "support/catch.hpp"
#include "support/image_stage.hpp"
#include "support/pictures.hpp"

using namespace millrace;
using namespace millrace::testing;

namespace {

const cv::Size page_size(900, 1200);

cv::Mat in_type(const cv::Mat& gray, int type) {
  cv::Mat deep, pixels;
  gray.convertTo(deep, CV_MAT_DEPTH(type), CV_MAT_DEPTH(type) == CV_16U ? 257 : 1);
  const cv::Mat full(gray.size(), deep.type(), CV_MAT_DEPTH(type) == CV_16U ? 65535 : 255);
  const cv::Mat channels[] = {deep, deep, deep, full};
  cv::merge(channels, CV_MAT_CN(type), pixels);
  return pixels;
}

}  // namespace

TEST_CASE("the skew of a page is found to a tenth of a degree", "[stage][deskew]") {
  const double degrees = GENERATE(-12.0, -7.3, -2.0, -0.4, 0.0, 0.25, 1.0, 5.55, 12.0);
  const int type = GENERATE(CV_8UC1, CV_16UC3, CV_8UC4);
  const auto skew = text_skew(Context(), in_type(text_page(page_size, degrees), type), 15);
  REQUIRE(skew);
  CHECK_THAT(*skew, WithinAbs(degrees, 0.1));
}

TEST_CASE("deskew makes a page level and keeps its size", "[stage][deskew]") {
  const double degrees = GENERATE(-12.0, -1.0, 0.5, 9.0);
  const Image skewed = picture(text_page(page_size, degrees));
  const cv::Mat before = skewed.pixels.clone();
  const Image level = run_stage("deskew", {}, skewed);
  REQUIRE(level.pixels.size() == page_size);
  CHECK_THAT(text_skew(Context(), level.pixels, 15).value_or(99), WithinAbs(0, 0.1));
  CHECK(std::abs(level.pixels.at<std::uint8_t>(0, 0) - 235) <= 1);  // the paper's
  CHECK(difference(skewed.pixels, before) == 0);
}

TEST_CASE("deskew leaves what is level, or no page of text, untouched", "[stage][deskew]") {
  const cv::Mat noisy = noise({500, 700}, CV_8UC3);
  const cv::Mat pictures[] = {text_page(page_size, 0),
                              text_page(page_size, 0.05),
                              cv::Mat(800, 600, CV_8UC1, 255.0),
                              cv::Mat(800, 600, CV_16UC3, cv::Scalar::all(0)),
                              photo_like({800, 600}),
                              noisy,
                              noise({1, 1}, CV_8UC1),
                              noise({3000, 2}, CV_8UC4),
                              noise({20, 20}, CV_16UC4),
                              text_page({900, 1200}, 90)};
  for (const cv::Mat& pixels : pictures) {
    CAPTURE(pixels.cols, pixels.rows, pixels.type());
    const Image result = run_stage("deskew", {}, picture(pixels));
    CHECK(result.pixels.data == pixels.data);
  }
}

TEST_CASE("deskew keeps to the angles that its options allow", "[stage][deskew]") {
  const Image page = picture(text_page(page_size, 4));
  CHECK(run_stage("deskew", {{"max_angle", "3"}}, page).pixels.data == page.pixels.data);
  CHECK(run_stage("deskew", {{"min_angle", "5"}}, page).pixels.data == page.pixels.data);
  CHECK(run_stage("deskew", {{"max_angle", "5"}}, page).pixels.data != page.pixels.data);
  const auto far = text_skew(Context(), text_page(page_size, 30), 45);
  CHECK_THAT(far.value_or(99), WithinAbs(30, 0.1));
}

TEST_CASE("deskew fills the corners with the background and can expand", "[stage][deskew]") {
  Image page = picture(in_type(text_page(page_size, 6), CV_8UC3));
  page.full_size = {1800, 2400};
  const Image result = run_stage("deskew", {{"background", "#0000ff"}, {"expand", "true"}}, page);
  const double radians = 6 * 3.14159265358979 / 180;
  CHECK(std::abs(result.pixels.cols - 900 * std::cos(radians) - 1200 * std::sin(radians)) < 3);
  CHECK(std::abs(result.pixels.rows - 900 * std::sin(radians) - 1200 * std::cos(radians)) < 3);
  CHECK(result.pixels.at<cv::Vec3b>(0, 0) == cv::Vec3b(255, 0, 0));
  CHECK(result.full_size.empty());
  CHECK(run_stage("deskew", {}, page).full_size == cv::Size(1800, 2400));
}

TEST_CASE("deskew of a black and white page gives a black and white page", "[stage][deskew]") {
  const cv::Mat page = text_page(page_size, 3) > 128;
  const cv::Mat result = run_stage("deskew", {}, picture(page)).pixels;
  REQUIRE(difference(result, page) > 0);
  CHECK(cv::countNonZero((result != 0) & (result != 255)) == 0);
}

TEST_CASE("deskew turns a picture upright by its tag first", "[stage][deskew]") {
  Image image = picture(text_page(page_size, 3));
  turn_upright(image.pixels, Orientation::rotated_90_counterclockwise);
  image.orientation = Orientation::rotated_90_clockwise;
  const Image result = run_stage("deskew", {}, image);
  CHECK(result.orientation == Orientation::upright);
  REQUIRE(result.pixels.size() == page_size);
  CHECK_THAT(text_skew(Context(), result.pixels, 15).value_or(99), WithinAbs(0, 0.1));
}

TEST_CASE("turning there and back gives the picture again", "[rotate]") {
  const int type = GENERATE(from_range(pixel_types()));
  cv::Mat smooth(200, 300, type);
  for (int y = 0; y < smooth.rows; ++y)
    for (int x = 0; x < smooth.cols; ++x)
      smooth(cv::Rect(x, y, 1, 1)) =
          cv::Scalar::all(120 + 50 * std::sin(x / 15.0) * std::cos(y / 12.0));
  const cv::Mat there = rotate(Context(), smooth, 5, true, cv::Scalar::all(120));
  const cv::Mat back = rotate(Context(), there, -5, false, cv::Scalar::all(120));
  const cv::Rect inner(40, 40, 220, 120);
  const cv::Point shift((back.cols - 300) / 2, (back.rows - 200) / 2);
  REQUIRE(back.type() == type);
  // The grown canvas puts the picture's middle half a pixel off a whole one at most.
  CHECK(cv::norm(back(inner + shift), smooth(inner), cv::NORM_INF) < 8);
}

TEST_CASE("turning lends no colour from what is transparent", "[rotate]") {
  cv::Mat pixels(80, 80, CV_8UC4, cv::Scalar(0, 255, 0, 0));  // unseen green
  pixels(cv::Rect(20, 20, 40, 40)) = cv::Scalar(0, 0, 255, 255);
  cv::Mat channels[4];
  cv::split(rotate(Context(), pixels, 7, false, cv::Scalar::all(0)), channels);
  CHECK(cv::countNonZero((channels[1] > 0) & (channels[3] > 1)) == 0);
  CHECK(cv::countNonZero((channels[2] < 250) & (channels[3] > 1)) == 0);
}

TEST_CASE("a picture too long to be turned is an error that says so", "[rotate]") {
  CHECK_THROWS_WITH(rotate(Context(), cv::Mat(2, 40000, CV_8UC1), 1, false, {}),
                    ContainsSubstring("1..32766"));
}
