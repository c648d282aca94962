// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/catch.hpp"
#include "support/image_stage.hpp"
#include "support/pictures.hpp"

using namespace millrace;
using namespace millrace::testing;

namespace {

cv::Size result_size(cv::Size from, const Settings& settings) {
  return run_stage("resize", settings, picture(cv::Mat(from, CV_8UC1, cv::Scalar(9))))
      .pixels.size();
}

/// Four quarters of one level each: 10, 20 above 30, 40.
cv::Mat quarters(cv::Size size, int type = CV_8UC1) {
  cv::Mat pixels(size, type);
  const int w = size.width / 2, h = size.height / 2;
  for (int i = 0; i < 4; ++i)
    pixels(cv::Rect(i % 2 * w, i / 2 * h, w, h)) = cv::Scalar::all(10.0 * (i + 1));
  return pixels;
}

}  // namespace

TEST_CASE("resize brings a picture to the size that fit says", "[stage][resize]") {
  struct Case {
    const char *fit, *width, *height;
    cv::Size from, to;
  };
  const auto c = GENERATE(values<Case>({
      {"inside", "80", "80", {400, 300}, {80, 60}},
      {"inside", "80", "30", {400, 300}, {40, 30}},
      {"inside", "80", "60", {400, 300}, {80, 60}},
      {"inside", "800", "800", {400, 300}, {800, 600}},
      {"outside", "80", "80", {400, 300}, {107, 80}},
      {"outside", "80", "30", {400, 300}, {80, 60}},
      {"cover", "80", "80", {400, 300}, {80, 80}},
      {"cover", "70", "20", {401, 303}, {70, 20}},
      {"contain", "80", "80", {400, 300}, {80, 80}},
      {"fill", "33", "77", {400, 300}, {33, 77}},
      {"inside", "50%", "50%", {401, 301}, {201, 151}},
      {"fill", "25%", "200%", {400, 30}, {100, 60}},
      {"inside", "100", "100", {20000, 10}, {100, 1}},
      {"outside", "10", "10", {3, 300}, {10, 1000}},
      {"inside", "100", "100", {1, 900}, {1, 100}},
      {"cover", "9", "7", {1, 1}, {9, 7}},
  }));
  CAPTURE(c.fit, c.width, c.height, c.from.width, c.from.height);
  CHECK(result_size(c.from, {{"fit", c.fit}, {"width", c.width}, {"height", c.height}}) == c.to);
}

TEST_CASE("the side that is not given follows from the shape, half a pixel rounded up",
          "[stage][resize]") {
  const std::string fit = GENERATE("inside", "outside", "cover", "contain", "fill");
  CHECK(result_size({400, 300}, {{"fit", fit}, {"width", "80"}}) == cv::Size(80, 60));
  CHECK(result_size({400, 300}, {{"fit", fit}, {"height", "60"}}) == cv::Size(80, 60));
  CHECK(result_size({400, 250}, {{"fit", fit}, {"width", "100"}}) == cv::Size(100, 63));  // 62.5
  CHECK(result_size({400, 249}, {{"fit", fit}, {"width", "100"}}) == cv::Size(100, 62));
  CHECK(result_size({5, 3}, {{"fit", fit}, {"width", "50%"}}) == cv::Size(3, 2));  // 2.5, 1.8
  CHECK(result_size({9000, 2}, {{"fit", fit}, {"width", "100"}}) == cv::Size(100, 1));
}

TEST_CASE("only_shrink leaves a smaller picture at its size", "[stage][resize]") {
  const auto size = [](const char* fit, const char* width, const char* height, cv::Size from) {
    return result_size(
        from, {{"fit", fit}, {"width", width}, {"height", height}, {"only_shrink", "true"}});
  };
  CHECK(size("inside", "800", "800", {400, 300}) == cv::Size(400, 300));
  CHECK(size("inside", "80", "800", {400, 300}) == cv::Size(80, 60));
  CHECK(size("inside", "150%", "150%", {400, 300}) == cv::Size(400, 300));
  CHECK(size("outside", "200", "400", {400, 300}) == cv::Size(400, 300));
  CHECK(size("outside", "200", "200", {400, 300}) == cv::Size(267, 200));
  CHECK(size("cover", "500", "200", {400, 300}) == cv::Size(400, 200));
  CHECK(size("contain", "500", "600", {400, 300}) == cv::Size(500, 600));
  CHECK(size("fill", "500", "200", {400, 300}) == cv::Size(400, 200));
}

TEST_CASE("percent and only_shrink mean the size before decode's shrink", "[stage][resize]") {
  Image image = picture(noise({501, 376}, CV_8UC3));
  image.full_size = {4004, 3004};
  const Image half = run_stage("resize", {{"width", "10%"}}, image);
  CHECK(half.pixels.size() == cv::Size(400, 300));
  CHECK(half.full_size.empty());
  const Settings larger{{"width", "600"}, {"only_shrink", "true"}};
  CHECK(run_stage("resize", larger, image).pixels.size() == cv::Size(600, 450));
}

TEST_CASE("cover keeps the part that gravity names", "[stage][resize]") {
  const auto kept = [](const char* gravity, cv::Size from) {
    const Settings settings{
        {"fit", "cover"}, {"width", "20"}, {"height", "20"}, {"gravity", gravity}};
    const cv::Mat p = run_stage("resize", settings, picture(quarters(from))).pixels;
    return std::pair<int, int>(p.at<std::uint8_t>(1, 1), p.at<std::uint8_t>(18, 18));
  };
  CHECK(kept("west", {80, 40}) == std::pair(10, 30));
  CHECK(kept("centre", {80, 40}) == std::pair(10, 40));
  CHECK(kept("north_east", {80, 40}) == std::pair(20, 40));
  CHECK(kept("north", {40, 80}) == std::pair(10, 20));
  CHECK(kept("south_west", {40, 80}) == std::pair(30, 40));
}

TEST_CASE("contain puts the picture where gravity says, on the background", "[stage][resize]") {
  const int type = GENERATE(from_range(pixel_types()));
  const Settings settings{{"fit", "contain"},
                          {"width", "20"},
                          {"height", "20"},
                          {"gravity", "south_east"},
                          {"background", "#ff0000"}};
  const cv::Mat source(80, 40, type, cv::Scalar::all(0));
  const cv::Mat result = run_stage("resize", settings, picture(source)).pixels;
  const double scale = CV_MAT_DEPTH(type) == CV_16U ? 257 : 1;
  const cv::Scalar red =
      CV_MAT_CN(type) == 1 ? cv::Scalar(76 * scale) : cv::Scalar(0, 0, 255, 255) * scale;
  REQUIRE(result.type() == type);
  CHECK(difference(result.colRange(0, 10), cv::Mat(20, 10, type, red)) == 0);
  CHECK(difference(result.colRange(10, 20), cv::Mat(20, 10, type, cv::Scalar::all(0))) == 0);
}

TEST_CASE("resize leaves a picture of the right size untouched", "[stage][resize]") {
  const Image image = picture(noise({40, 30}, CV_8UC4));
  const Image same = run_stage("resize", {{"width", "40"}}, image);
  CHECK(same.pixels.data == image.pixels.data);
  const Settings crop{{"fit", "cover"}, {"width", "40"}, {"height", "20"}};
  CHECK(difference(run_stage("resize", crop, image).pixels, image.pixels.rowRange(5, 25)) == 0);
}

TEST_CASE("resize takes every type of pixels and does not change its input", "[stage][resize]") {
  const int type = GENERATE(from_range(pixel_types()));
  const cv::Size from = GENERATE(cv::Size(1, 1), cv::Size(31, 17));
  Image image = picture(noise(from, type));
  image.resolution = Resolution{300, 300};
  const cv::Mat before = image.pixels.clone();
  const Image result =
      run_stage("resize", {{"width", "7"}, {"height", "5"}, {"fit", "fill"}}, image);
  CHECK(result.pixels.size() == cv::Size(7, 5));
  CHECK(result.pixels.type() == type);
  CHECK(result.resolution == image.resolution);
  CHECK(difference(image.pixels, before) == 0);
}

TEST_CASE("resize tells upstream the size it resamples to", "[stage][resize]") {
  Demand downstream;
  downstream.upright = true;
  downstream.gray = true;
  const Settings settings{{"fit", "cover"}, {"width", "80"}, {"height", "25%"}};
  const Demand demand = make_stage("resize", settings)->demand(downstream);
  CHECK(demand.target_size({4000, 1000}) == cv::Size(1000, 250));
  CHECK_FALSE(demand.upright);
  CHECK(demand.gray);
}

TEST_CASE("resize complains about settings that name no size", "[stage][resize]") {
  CHECK_THROWS_WITH(make_stage("resize", {{"fit", "cover"}}), ContainsSubstring("width or height"));
  CHECK_THROWS_WITH(make_stage("resize", {{"width", "10.5"}}), ContainsSubstring("width: 10.5"));
  CHECK_THROWS_WITH(make_stage("resize", {{"height", "1.5"}}), ContainsSubstring("height: 1.5"));
  CHECK_NOTHROW(make_stage("resize", {{"width", "12.5%"}}));
  CHECK_THROWS_WITH(make_stage("resize", {{"width", "0"}}), ContainsSubstring("0.01"));
}

TEST_CASE("resize refuses a result that no machine should hold", "[stage][resize]") {
  const Settings settings{{"width", "1000000"}, {"height", "1000000"}, {"fit", "fill"}};
  CHECK_THROWS_WITH(run_stage("resize", settings, picture(noise({2, 2}, CV_8UC1))),
                    ContainsSubstring("1000000 x 1000000"));
}
