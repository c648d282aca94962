// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "support/catch.hpp"
#include "support/image_stage.hpp"
#include "support/pictures.hpp"

using namespace millrace;
using namespace millrace::testing;

namespace {

/// Where the upright picture's pixel (x, y) stands in one stored as width x height; from the
/// figures of EXIF 2.32: what the first stored row and column are.
cv::Point stored_at(int tag, int x, int y, int width, int height) {
  switch (tag) {
    case 2:
      return {width - 1 - x, y};  // 0th row top, 0th column right
    case 3:
      return {width - 1 - x, height - 1 - y};  // bottom, right
    case 4:
      return {x, height - 1 - y};  // bottom, left
    case 5:
      return {y, x};  // left, top
    case 6:
      return {y, height - 1 - x};  // right, top
    case 7:
      return {width - 1 - y, height - 1 - x};  // right, bottom
    case 8:
      return {width - 1 - y, x};  // left, bottom
    default:
      return {x, y};
  }
}

}  // namespace

TEST_CASE("orient turns each of the eight orientations upright without loss", "[stage][orient]") {
  const int tag = GENERATE(1, 2, 3, 4, 5, 6, 7, 8);
  const int type = GENERATE(CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3, CV_16UC4);
  const cv::Size size = GENERATE(cv::Size(1, 1), cv::Size(71, 43), cv::Size(1, 40));
  CAPTURE(tag, type, size.width);
  Image image = picture(noise(size, type));
  image.orientation = static_cast<Orientation>(tag);
  const cv::Mat before = image.pixels.clone();
  const Image turned = run_stage("orient", {}, image);

  REQUIRE(turned.orientation == Orientation::upright);
  REQUIRE(turned.pixels.size() == (tag >= 5 ? cv::Size(size.height, size.width) : size));
  bool same = true;
  for (int y = 0; y < turned.pixels.rows; ++y)
    for (int x = 0; x < turned.pixels.cols; ++x) {
      const cv::Point from = stored_at(tag, x, y, size.width, size.height);
      same = same && std::memcmp(turned.pixels.ptr(y, x), before.ptr(from.y, from.x),
                                 before.elemSize()) == 0;
    }
  CHECK(same);
  CHECK(difference(image.pixels, before) == 0);
}

TEST_CASE("orient turns the full size and the resolution with the pixels", "[stage][orient]") {
  Image image = picture(noise({6, 4}, CV_8UC3));
  image.full_size = {48, 32};
  image.resolution = Resolution{300, 200};
  image.orientation = Orientation::rotated_90_clockwise;
  const Image turned = run_stage("orient", {}, image);
  CHECK(turned.full_size == cv::Size(32, 48));
  CHECK(turned.resolution == Resolution{200, 300});

  image.orientation = Orientation::rotated_180;
  const Image over = run_stage("orient", {}, image);
  CHECK(over.full_size == cv::Size(48, 32));
  CHECK(over.resolution == Resolution{300, 200});
}

TEST_CASE("orient asks upstream for sizes as they are upright", "[stage][orient]") {
  const auto stage = make_stage("orient", {});
  Demand downstream;
  downstream.gray = true;
  CHECK_FALSE(stage->demand(downstream).upright);
  CHECK(stage->demand(downstream).gray);
  downstream.target_size = [](cv::Size full) { return full / 2; };
  CHECK(stage->demand(downstream).upright);
  CHECK(stage->demand(downstream).target_size({8, 6}) == cv::Size(4, 3));
}
