// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <opencv2/core.hpp>

#include "plugin/library.hpp"
#include "plugins/abi/c_stage.hpp"

using namespace millrace_test;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<Stage> example(const std::string& name) {
  const auto& stages = stages_of(fs::path(MILLRACE_ABI_FOLDER) / (name + ".so"));
  REQUIRE(stages.size() == 1);
  return stages.front().make();
}

Image even(int type, double value, cv::Size size = {41, 21}) {
  Image image;
  image.pixels = cv::Mat(size, type, cv::Scalar::all(value));
  image.format = "png";
  return image;
}

Image of(const Stage& stage, const Image& image) {
  auto outcome = worked(stage, image);
  REQUIRE_FALSE(outcome.error);
  return std::get<Image>(outcome.payloads.at(0));
}

double sample(const cv::Mat& pixels, int x, int y, int channel) {
  cv::Mat wide;
  pixels.convertTo(wide, CV_64F);
  return wide.ptr<double>(y)[x * pixels.channels() + channel];
}

}  // namespace

TEST_CASE("vignette darkens the corners and leaves the centre and alpha, at any depth",
          "[plugin][abi][examples]") {
  const auto stage = example("vignette");
  for (const int type : {CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3, CV_16UC4}) {
    const Image in = even(type, 200);
    const cv::Mat out = of(*stage, in).pixels;
    REQUIRE(out.type() == type);
    CHECK(sample(out, 20, 10, 0) == 200);
    const double corner = sample(out, 0, 0, 0);
    CHECK(corner >= 100);
    CHECK(corner < 106);
    CHECK(sample(out, 40, 20, 0) == corner);  // as far on the other side
    if (in.pixels.channels() == 4) CHECK(sample(out, 0, 0, 3) == 200);
    CHECK(sample(in.pixels, 0, 0, 0) == 200);  // another's picture is not painted into
  }
}

TEST_CASE("vignette's shape follows the picture or is a circle", "[plugin][abi][examples]") {
  const Image in = even(CV_8UC1, 200);
  const cv::Mat ellipse = of(*configured(example("vignette"), {{"radius", "60"}}), in).pixels;
  const cv::Mat circle =
      of(*configured(example("vignette"), {{"radius", "60"}, {"shape", "circle"}}), in).pixels;
  CHECK(sample(ellipse, 20, 0, 0) < 200);  // the middle of the long edge
  CHECK(sample(circle, 20, 0, 0) == 200);
  const auto none = configured(example("vignette"), {{"strength", "0"}});
  CHECK(cv::norm(of(*none, in).pixels, in.pixels, cv::NORM_INF) == 0);
}

TEST_CASE("sepia, a plugin in Rust, tones pictures of any depth", "[plugin][abi][examples]") {
  if (!fs::exists(fs::path(MILLRACE_ABI_FOLDER) / "sepia.so")) return;  // told when configured
  for (const int type : {CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3, CV_16UC4}) {
    const double value = CV_MAT_DEPTH(type) == CV_8U ? 100 : 40000;
    const cv::Mat out = of(*example("sepia"), even(type, value)).pixels;
    CHECK(out.channels() == (CV_MAT_CN(type) == 4 ? 4 : 3));
    CHECK(std::abs(sample(out, 3, 3, 0) - value * 0.78) <= 1);
    CHECK(std::abs(sample(out, 3, 3, 1) - value * 0.94) <= 1);
    CHECK(std::abs(sample(out, 40, 20, 2) - value * 1.07) <= 1);
    if (out.channels() == 4) CHECK(sample(out, 3, 3, 3) == value);
  }
  const auto none = configured(example("sepia"), {{"strength", "0"}});
  const Image in = even(CV_8UC3, 77);
  CHECK(cv::norm(of(*none, in).pixels, in.pixels, cv::NORM_INF) == 0);
}
