// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <opencv2/imgproc.hpp>

#include "concurrency/cpu_slots.hpp"
#include "millrace/gray.hpp"
#include "millrace/turn.hpp"
#include "stages/support/rotate.hpp"
#include "stages/support/skew.hpp"
#include "stages/support/threshold.hpp"
#include "support/catch.hpp"
#include "support/image_stage.hpp"
#include "support/pictures.hpp"

using namespace millrace;
using namespace millrace::testing;

// One picture on several CPUs: large enough to be cut into parts.
namespace {

/// With every CPU slot taken a stage has no thread but its own.
Image run_alone(const std::string& stage, const Settings& settings, const Image& image) {
  std::vector<Slots::Slot> held;
  while (auto slot = cpu_slots().try_acquire()) held.push_back(std::move(*slot));
  return run_stage(stage, settings, image);
}

// Under a sanitizer, which is ten times as slow, one gray and one coloured kind say as much.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
std::vector<int> kinds() { return {CV_8UC1, CV_16UC3}; }
constexpr int rounds = 1;
#else
std::vector<int> kinds() { return pixel_types(); }
constexpr int rounds = 3;
#endif

struct Case {
  const char* stage;
  Settings settings;
};

cv::Mat page_of(int type) {
  cv::Mat page, deep;
  cv::cvtColor(text_page({1300, 1700}, 3), page, cv::COLOR_GRAY2BGRA);
  cv::Mat channels[4];
  cv::split(page, channels);
  std::vector<cv::Mat> wanted(channels, channels + CV_MAT_CN(type));
  cv::merge(wanted, page);
  page.convertTo(deep, CV_MAT_DEPTH(type), CV_MAT_DEPTH(type) == CV_16U ? 257 : 1);
  cv::Mat dirt = noise(page.size(), type) / 16;
  return deep - dirt;
}

}  // namespace

TEST_CASE("a stage gives the same on one thread and on all CPUs", "[stage][parallel]") {
  const int type = GENERATE(from_range(kinds()));
  const auto [stage, settings] = GENERATE(values<Case>({{"deskew", {}},
                                                        {"deskew", {{"expand", "true"}}},
                                                        {"binarize", {{"window", "41"}}},
                                                        {"binarize", {{"method", "otsu"}}},
                                                        {"resize", {{"width", "600"}}},
                                                        {"resize", {{"width", "1999"}}},
                                                        {"grayscale", {}},
                                                        {"orient", {}}}));
  Image image = picture(page_of(type));
  if (std::string(stage) == "orient") image.orientation = Orientation::transversed;
  CAPTURE(stage, type);
  const Image alone = run_alone(stage, settings, image);
  for (int round = 0; round < rounds; ++round)
    CHECK(difference(run_stage(stage, settings, image).pixels, alone.pixels) == 0);
}

TEST_CASE("a tall page's skew is found as a small one's", "[stage][deskew]") {
  cv::Mat large;
  cv::resize(text_page({1000, 1400}, 2.5), large, {4100, 5743}, 0, 0, cv::INTER_CUBIC);
  const auto skew = text_skew(Context(), large, 15);
  REQUIRE(skew);
  CHECK_THAT(*skew, WithinAbs(2.5, 0.1));
}

TEST_CASE("Sauvola's bands go together without a seam", "[stage][binarize]") {
  const int window = 61;
  const cv::Mat gray = noise({61, 20'000}, CV_8UC1) / 2 + gradient({61, 20'000}, CV_8UC1) / 2;
  const cv::Mat whole = sauvola(Context(), gray, window, 0.3);
  for (int y = 0; y + 500 <= gray.rows; y += 500) {
    const int first = std::max(0, y - window), last = std::min(gray.rows, y + 500 + window);
    const cv::Mat part = sauvola(Context(), gray.rowRange(first, last), window, 0.3);
    CHECK(difference(part.rowRange(y - first, y - first + 500), whole.rowRange(y, y + 500)) == 0);
  }
}

TEST_CASE("turning in bands is turning at once", "[rotate]") {
  const cv::Mat pixels = photo_like({900, 700});
  const cv::Mat turn = cv::getRotationMatrix2D({449.5F, 349.5F}, 4, 1);
  cv::Mat at_once, apart;
  cv::warpAffine(pixels, at_once, turn, pixels.size(), cv::INTER_CUBIC, cv::BORDER_CONSTANT,
                 cv::Scalar::all(9));
  cv::absdiff(rotate(Context(), pixels, 4, false, cv::Scalar::all(9)), at_once, apart);
  // Where a coordinate lies between two steps of OpenCV's, rounding may go either way.
  CHECK(cv::countNonZero(apart.reshape(1)) <= 20);
}

TEST_CASE("large pictures are turned and made gray to the last row", "[turn][gray]") {
  const cv::Mat pixels = noise({1100, 1700}, CV_8UC3);
  cv::Mat turned = pixels.clone(), expected;
  turn_upright(turned, Orientation::rotated_90_clockwise);
  cv::rotate(pixels, expected, cv::ROTATE_90_CLOCKWISE);
  CHECK(difference(turned, expected) == 0);
  const cv::Mat gray = to_gray(pixels);
  for (int y = 0; y < gray.rows; ++y)
    if (difference(gray.row(y), to_gray(pixels.row(y))) != 0) FAIL("row " << y);
}

TEST_CASE("a stage ends when its item is cancelled, on any thread", "[stage][parallel]") {
  const Context context;
  context.cancel();
  const cv::Mat page = page_of(CV_8UC3);
  CHECK_THROWS_AS(text_skew(context, page, 15), Error);
  CHECK_THROWS_AS(rotate(context, page, 2, false, {}), Error);
  CHECK_THROWS_AS(sauvola(context, to_gray(page), 41, 0.3), Error);
  CHECK_THROWS_AS(to_gray(context, page), Error);
}
