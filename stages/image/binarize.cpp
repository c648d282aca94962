// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <opencv2/core/mat.hpp>

#include "millrace/catalogue.hpp"
#include "millrace/gray.hpp"
#include "stages/support/depth.hpp"
#include "stages/support/threshold.hpp"

namespace millrace::inline v1 {
namespace {

enum class Method { otsu, sauvola };

/// A third of an inch holds a few letters of any print, ink and paper both.
constexpr double default_window_in = 1.0 / 3;
/// Where no believable resolution is stated, the picture is taken for a page as wide as A4.
constexpr double a4_width_in = 8.27;
constexpr double lowest_believable_dpi = 72;

int default_window(const Image& image) {
  double dpi = image.resolution ? image.resolution->x : 0;
  if (dpi <= lowest_believable_dpi) dpi = image.pixels.cols / a4_width_in;
  return std::max(15, static_cast<int>(std::lround(default_window_in * dpi)));
}

struct Binarize final : Transform<Image, Image> {
  Method method = Method::sauvola;
  std::optional<Length> window;
  double k = 0.34;

  void options(Options& o) override {
    o.add("method", method,
          {{"otsu", Method::otsu, "One threshold for the page; for even light."},
           {"sauvola", Method::sauvola, "A threshold per pixel; for shadows, stains, old paper."}},
          "How the threshold between ink and paper is found.")
        .example("sauvola");
    o.add("window", window,
          "Side of the square that sauvola looks at, in pixels or percent of the width; a third of "
          "an inch if not given.")
        .range(1, widest_window);
    o.add("k", k, "How far below its surroundings' mean sauvola takes a pixel for ink.")
        .range(0.01, 1);
  }

  Demand demand(const Demand& downstream) const override {
    Demand demand;
    demand.gray = true;
    demand.extension = downstream.extension;
    return demand;
  }

  Image run(ItemContext& context, Image image) const override {
    int side = default_window(image);
    if (window && window->percent)
      side = static_cast<int>(std::lround(window->value * image.pixels.cols / 100));
    else if (window)
      side = static_cast<int>(std::lround(window->value));
    make_gray(context, image);
    const cv::Mat gray = to_8_bits(image.pixels);
    image.pixels = method == Method::otsu ? otsu(gray) : sauvola(context, gray, side, k);
    return image;
  }
};

const Register<Binarize> registered{
    "binarize", "Make a page black and white, each pixel 0 or 255, to part ink from paper."};

}  // namespace
}  // namespace millrace::inline v1
