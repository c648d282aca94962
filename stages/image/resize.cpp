// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <climits>
#include <cmath>

#include "millrace/catalogue.hpp"
#include "stages/support/paint.hpp"
#include "stages/support/resample.hpp"

namespace millrace::inline v1 {
namespace {

enum class Fit { inside, outside, cover, contain, fill };

/// Where a picture stands in its frame: 0 is left or top, 1 the middle, 2 right or bottom.
struct Gravity {
  int x = 1;
  int y = 1;
  bool operator==(const Gravity&) const = default;
};

/// The picture as a whole is resampled to `scaled`; the result is `window` of that, which lies
/// within it where the picture is cropped and around it where a border is added.
struct Layout {
  cv::Size scaled;
  cv::Rect window;
};

/// Half up, and at least one pixel: a panorama does not shrink to nothing.
int whole_pixels(double length) {
  return static_cast<int>(std::clamp(std::floor(length + 0.5), 1.0, INT_MAX / 2.0));
}

int pixels_of(const Length& length, int whole) {
  return whole_pixels(length.percent ? length.value * whole / 100 : length.value);
}

struct Geometry {
  std::optional<Length> width, height;
  Fit fit = Fit::inside;
  bool only_shrink = false;
  Gravity gravity;

  Layout layout(cv::Size full) const;

 private:
  cv::Size scaled(cv::Size full, cv::Size frame) const;
};

Layout Geometry::layout(cv::Size full) const {
  cv::Size frame;
  if (width) frame.width = pixels_of(*width, full.width);
  if (height) frame.height = pixels_of(*height, full.height);
  Layout layout;
  layout.scaled = scaled(full, frame);
  layout.window = {{0, 0}, layout.scaled};
  if (!width || !height || (fit != Fit::cover && fit != Fit::contain)) return layout;

  if (fit == Fit::cover) {
    frame.width = std::min(frame.width, layout.scaled.width);
    frame.height = std::min(frame.height, layout.scaled.height);
  }
  const cv::Size over = layout.scaled - frame;
  layout.window = {{over.width * gravity.x / 2, over.height * gravity.y / 2}, frame};
  return layout;
}

/// `frame` is 0 on an axis that is not given.
cv::Size Geometry::scaled(cv::Size full, cv::Size frame) const {
  if (fit == Fit::fill && width && height) {
    if (!only_shrink) return frame;
    return {std::min(frame.width, full.width), std::min(frame.height, full.height)};
  }
  // The axis that decides: as products, exact where a quotient would not be.
  const double across = static_cast<double>(frame.width) * full.height;
  const double down = static_cast<double>(frame.height) * full.width;
  const bool outer = fit == Fit::outside || fit == Fit::cover;
  const bool by_width = !height || (width && (outer ? across >= down : across <= down));
  if (only_shrink && (by_width ? frame.width >= full.width : frame.height >= full.height))
    return full;
  if (by_width) return {frame.width, whole_pixels(across / full.width)};
  return {whole_pixels(down / full.height), frame.height};
}

/// More is a slip of the pen rather than a wish, and would end in the operating system's words.
constexpr double most_pixels = 1 << 30;

struct Resize final : Transform<Image, Image, Resampler> {
  Geometry geometry;
  Colour background;

  void options(Options& o) override;
  std::vector<std::string> check() const override;
  Demand demand(const Demand& downstream) const override;
  Image run(ItemContext& context, Image image, Resampler& resampler) const override;
  std::vector<Condition> diagnose() const override;
};

void Resize::options(Options& o) {
  o.add("width", geometry.width,
        "Width in pixels, or in percent of the picture's; follows from the height if not given.")
      .range(0.01, 1'000'000)
      .example("800");
  o.add("height", geometry.height,
        "Height in pixels, or in percent of the picture's; follows from the width if not given.")
      .range(0.01, 1'000'000);
  o.add("fit", geometry.fit,
        {{"inside", Fit::inside, "As large as fits into width x height."},
         {"outside", Fit::outside, "As small as covers width x height."},
         {"cover", Fit::cover, "As outside, then cropped to width x height."},
         {"contain", Fit::contain, "As inside, then bordered to width x height."},
         {"fill", Fit::fill, "Exactly width x height, stretched where the shape differs."}},
        "How a picture of another shape is brought to width x height.");
  o.add("only_shrink", geometry.only_shrink, "Never enlarge a picture.");
  o.add("gravity", geometry.gravity,
        {{"centre", {1, 1}, "The middle."},
         {"north", {1, 0}, "The middle of the top."},
         {"north_east", {2, 0}, "The top right corner."},
         {"east", {2, 1}, "The middle of the right side."},
         {"south_east", {2, 2}, "The bottom right corner."},
         {"south", {1, 2}, "The middle of the bottom."},
         {"south_west", {0, 2}, "The bottom left corner."},
         {"west", {0, 1}, "The middle of the left side."},
         {"north_west", {0, 0}, "The top left corner."}},
        "The part that cover keeps, and where in its frame contain puts the picture.");
  o.add("background", background, "Colour of the border that contain adds.");
}

std::vector<std::string> Resize::check() const {
  if (!geometry.width && !geometry.height) return {"width or height must be given, or both"};
  std::vector<std::string> complaints;
  const auto whole = [&](const char* name, const std::optional<Length>& length) {
    if (length && !length->percent && length->value != std::floor(length->value))
      complaints.push_back(std::string(name) + ": " + OptionType<Length>::print(*length) +
                           " is not a whole number of pixels, nor a percentage");
  };
  whole("width", geometry.width);
  whole("height", geometry.height);
  return complaints;
}

Demand Resize::demand(const Demand& downstream) const {
  Demand demand = downstream;
  demand.target_size = [rule = geometry](cv::Size full) { return rule.layout(full).scaled; };
  demand.upright = false;
  return demand;
}

Image Resize::run(ItemContext& context, Image image, Resampler& resampler) const {
  const Layout layout = geometry.layout(image.nominal_size());
  const cv::Rect window = layout.window;
  if (static_cast<double>(window.width) * window.height > most_pixels)
    throw Error(ErrorKind::input, "the result would have " + std::to_string(window.width) + " x " +
                                      std::to_string(window.height) +
                                      " pixels; 1073741824 in all are allowed");
  image.full_size = {};
  const cv::Rect seen = window & cv::Rect({0, 0}, layout.scaled);
  if (layout.scaled == image.pixels.size()) {
    if (seen != cv::Rect({0, 0}, layout.scaled)) image.pixels = image.pixels(seen).clone();
  } else {
    const double across = static_cast<double>(image.pixels.cols) / layout.scaled.width;
    const double down = static_cast<double>(image.pixels.rows) / layout.scaled.height;
    image.pixels = resampler.run(
        context, image.pixels,
        {seen.x * across, seen.y * down, seen.width * across, seen.height * down}, seen.size());
  }
  if (seen.size() != window.size()) {
    cv::Mat framed(window.size(), image.pixels.type(), paint(background, image.pixels.type()));
    image.pixels.copyTo(framed(cv::Rect(seen.tl() - window.tl(), seen.size())));
    image.pixels = framed;
  }
  return image;
}

std::vector<Condition> Resize::diagnose() const {
  if (best_simd() == Simd::avx2) return {{"resampling", "uses AVX2", {}, {}}};
  return {{"resampling", "this CPU has no AVX2: it works, several times slower", {}, {}}};
}

const Register<Resize> registered{
    "resize",
    "Give a picture another size; its resolution in dots per inch stays as the file states it."};

}  // namespace
}  // namespace millrace::inline v1
