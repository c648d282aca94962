// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/gray.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

#include "millrace/parallel.hpp"

namespace millrace::inline v1 {
namespace {

constexpr int pixels_at_once = 1 << 19;  // 0.3 ms or more

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
void fill_gray(const cv::Mat& from, int first, int last, cv::Mat& to) {
  const bool alpha = from.channels() == 4;
  for (int y = first; y < last; ++y) {
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

cv::Mat to_gray(const Context& context, const cv::Mat& pixels) {
  if (pixels.channels() == 1) return pixels;
  cv::Mat gray(pixels.size(), CV_MAKETYPE(pixels.depth(), 1));
  const auto rows = static_cast<std::size_t>(pixels_at_once / pixels.cols + 1);
  parallel_for(context, 0, static_cast<std::size_t>(pixels.rows), rows,
               [&](std::size_t first, std::size_t last) {
                 const auto fill =
                     pixels.depth() == CV_16U ? fill_gray<std::uint16_t> : fill_gray<std::uint8_t>;
                 fill(pixels, static_cast<int>(first), static_cast<int>(last), gray);
               });
  return gray;
}

cv::Mat to_gray(const cv::Mat& pixels) { return to_gray(Context(), pixels); }

void make_gray(Image& image) { make_gray(Context(), image); }

void make_gray(const Context& context, Image& image) {
  image.pixels = to_gray(context, image.pixels);
  if (image.icc_profile && !is_gray_profile(*image.icc_profile)) image.icc_profile.reset();
}

}  // namespace millrace::inline v1
