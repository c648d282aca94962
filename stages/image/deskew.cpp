// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "millrace/catalogue.hpp"
#include "millrace/turn.hpp"
#include "stages/support/paint.hpp"
#include "stages/support/rotate.hpp"
#include "stages/support/skew.hpp"

namespace millrace::inline v1 {
namespace {

/// The median of each channel over a grid of pixels: more than half of a page of text is paper.
cv::Scalar paper(const cv::Mat& pixels) {
  constexpr int grid = 256;
  const int down = pixels.rows / grid + 1, across = pixels.cols / grid + 1;
  cv::Scalar colour;
  std::vector<int> samples;
  for (int c = 0; c < pixels.channels(); ++c) {
    samples.clear();
    for (int y = 0; y < pixels.rows; y += down)
      for (int x = 0; x < pixels.cols; x += across) {
        const int at = x * pixels.channels() + c;
        samples.push_back(pixels.depth() == CV_16U ? pixels.ptr<std::uint16_t>(y)[at]
                                                   : pixels.ptr(y)[at]);
      }
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    colour[c] = *middle;
  }
  return colour;
}

/// Pixels by which a line that goes across the page rises or sinks.
double rise(double degrees, const Image& image) {
  return std::abs(std::tan(degrees * std::numbers::pi / 180)) * image.pixels.cols;
}

struct Deskew final : Transform<Image, Image> {
  double max_angle = 15;
  double min_angle = 0.2;  // on printed pages, turning by less costs more than it gives
  bool expand = false;
  std::optional<Colour> background;

  void options(Options& o) override {
    o.add("max_angle", max_angle, "Largest skew to correct; a page with more is left as it is.")
        .unit("degrees")
        .range(0, 45)
        .example("10");
    o.add("min_angle", min_angle,
          "A page with less skew than this, or than a pixel, is left as it is.")
        .unit("degrees")
        .range(0, 45);
    o.add("expand", expand, "Let the page grow so that no corner is cut off.");
    o.add("background", background,
          "Colour of the corners that come in; the paper's if not given.");
  }

  Demand demand(const Demand& downstream) const override {
    Demand demand;
    demand.gray = downstream.gray;
    demand.extension = downstream.extension;
    return demand;
  }

  Image run(ItemContext& context, Image image) const override {
    turn_upright(context, image);
    const std::optional<double> skew = text_skew(context, image.pixels, max_angle);
    if (!skew || std::abs(*skew) < min_angle || rise(*skew, image) < 1) return image;
    const cv::Scalar fill =
        background ? paint(*background, image.pixels.type()) : paper(image.pixels);
    image.pixels = rotate(context, image.pixels, *skew, expand, fill);
    if (expand) image.full_size = {};
    return image;
  }
};

const Register<Deskew> registered{
    "deskew", "Turn a page upright by its tag, then so that its text lines are level."};

}  // namespace
}  // namespace millrace::inline v1
