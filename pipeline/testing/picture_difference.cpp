// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/picture_difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace millrace::inline v1 {
namespace {

// What differs at all is to be seen.
constexpr float darkest = 64, brightest = 255;

std::string kind_of(int channels) {
  return channels == 1 ? "gray" : channels == 3 ? "colour" : "colour with alpha";
}

std::string turn_of(Orientation orientation) {
  return orientation == Orientation::upright
             ? "upright"
             : "tagged to be turned (orientation " + std::to_string(static_cast<int>(orientation)) +
                   ")";
}

std::string size_of(const Image& image) {
  return std::to_string(image.pixels.cols) + "x" + std::to_string(image.pixels.rows);
}

std::string bits_of(const Image& image) {
  return image.pixels.depth() == CV_16U ? "16 bits" : "8 bits";
}

std::string unlike(const Image& got, const Image& expected) {
  const auto told = [](const std::string& is, const std::string& was) {
    return is == was ? std::string() : "it is " + is + ", expected " + was;
  };
  for (const auto& difference :
       {told(size_of(got), size_of(expected)),
        told(kind_of(got.pixels.channels()), kind_of(expected.pixels.channels())),
        told(bits_of(got), bits_of(expected)),
        told(turn_of(got.orientation), turn_of(expected.orientation))})
    if (!difference.empty()) return difference;
  return {};
}

/// The largest difference of a pixel's channels, as a share of the full range.
template <class Sample>
float difference_at(const Sample* got, const Sample* expected, int channels) {
  constexpr float full = std::numeric_limits<Sample>::max();
  const bool has_alpha = channels == 4;
  const float opaque_got = has_alpha ? static_cast<float>(got[3]) / full : 1;
  const float opaque_expected = has_alpha ? static_cast<float>(expected[3]) / full : 1;
  float largest = std::abs(opaque_got - opaque_expected);
  for (int c = 0; c < std::min(channels, 3); ++c)
    largest = std::max(largest, std::abs(static_cast<float>(got[c]) * opaque_got -
                                         static_cast<float>(expected[c]) * opaque_expected) /
                                    full);
  return largest;
}

template <class Sample>
cv::Mat differences(const cv::Mat& got, const cv::Mat& expected) {
  cv::Mat all(got.size(), CV_32F);
  const int channels = got.channels();
  for (int y = 0; y < got.rows; ++y) {
    const auto *a = got.ptr<Sample>(y), *b = expected.ptr<Sample>(y);
    auto* const to = all.ptr<float>(y);
    for (int x = 0; x < got.cols; ++x, a += channels, b += channels)
      to[x] = difference_at(a, b, channels);
  }
  return all;
}

cv::Mat amplify(const cv::Mat& differences, float largest) {
  cv::Mat picture(differences.size(), CV_8U);
  for (int y = 0; y < picture.rows; ++y)
    for (int x = 0; x < picture.cols; ++x) {
      const float share = differences.at<float>(y, x) / std::max(largest, 1e-9F);
      picture.at<std::uint8_t>(y, x) = static_cast<std::uint8_t>(
          share > 0 ? std::lround(darkest + (brightest - darkest) * share) : 0);
    }
  return picture;
}

}  // namespace

PictureDifference compare_pictures(const Image& got, const Image& expected, double tolerance) {
  PictureDifference result;
  result.unlike = unlike(got, expected);
  if (!result.unlike.empty()) return result;
  const auto all = got.pixels.depth() == CV_16U
                       ? differences<std::uint16_t>(got.pixels, expected.pixels)
                       : differences<std::uint8_t>(got.pixels, expected.pixels);
  // A step of 1 in 100 is within 1%, whatever its last binary digit.
  const float allowed = static_cast<float>(tolerance / 100) + 1e-6F;
  float largest = 0;
  for (int y = 0; y < all.rows; ++y)
    for (int x = 0; x < all.cols; ++x) {
      const float difference = all.at<float>(y, x);
      if (difference > allowed) ++result.different;
      if (difference <= largest) continue;
      largest = difference;
      result.at = {x, y};
    }
  result.pixels = all.total();
  result.largest = 100.0 * largest;
  result.amplified = amplify(all, largest);
  return result;
}

std::string describe(const Image& image) {
  return size_of(image) + ", " + kind_of(image.pixels.channels()) + ", " + bits_of(image);
}

}  // namespace millrace::inline v1
