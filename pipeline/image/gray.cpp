// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/gray.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

namespace millrace::inline v1 {
namespace {

/// Luma with 16 fraction bits; fits 32 bits unsigned for 16-bit samples.
template <class Sample>
std::uint32_t luma(const Sample* bgr) {
  return (7471U * bgr[0] + 38470U * bgr[1] + 19595U * bgr[2] + 32768U) >> 16;
}

template <class Sample>
Sample over_white(std::uint32_t value, std::uint32_t alpha) {
  constexpr std::uint64_t most = std::numeric_limits<Sample>::max();
  return static_cast<Sample>((std::uint64_t{value} * alpha + most * (most - alpha) + most / 2) /
                             most);
}

template <class Sample>
void fill_gray(const cv::Mat& from, cv::Mat& to) {
  const bool alpha = from.channels() == 4;
  for (int y = 0; y < from.rows; ++y) {
    const Sample* in = from.ptr<Sample>(y);
    Sample* out = to.ptr<Sample>(y);
    if (alpha)
      for (int x = 0; x < from.cols; ++x)
        out[x] = over_white<Sample>(luma(in + 4 * x), in[4 * x + 3]);
    else
      for (int x = 0; x < from.cols; ++x) out[x] = static_cast<Sample>(luma(in + 3 * x));
  }
}

/// ICC.1:2022, 7.2.6: the data colour space stands at byte 16.
bool is_gray_profile(const std::vector<std::byte>& profile) {
  return profile.size() >= 20 && std::memcmp(profile.data() + 16, "GRAY", 4) == 0;
}

}  // namespace

cv::Mat to_gray(const cv::Mat& pixels) {
  if (pixels.channels() == 1) return pixels;
  cv::Mat gray(pixels.size(), CV_MAKETYPE(pixels.depth(), 1));
  if (pixels.depth() == CV_16U)
    fill_gray<std::uint16_t>(pixels, gray);
  else
    fill_gray<std::uint8_t>(pixels, gray);
  return gray;
}

void make_gray(Image& image) {
  image.pixels = to_gray(image.pixels);
  if (image.icc_profile && !is_gray_profile(*image.icc_profile)) image.icc_profile.reset();
}

}  // namespace millrace::inline v1
