// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/pictures.hpp"

#include <opencv2/imgproc.hpp>
#include <random>

namespace millrace::testing {

Image picture(const cv::Mat& pixels) {
  Image image;
  image.pixels = pixels;
  return image;
}

const std::vector<int>& pixel_types() {
  static const std::vector<int> types{CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3, CV_16UC4};
  return types;
}

cv::Mat noise(cv::Size size, int type, unsigned seed) {
  cv::Mat pixels(size, type);
  cv::RNG(seed).fill(pixels, cv::RNG::UNIFORM, 0, CV_MAT_DEPTH(type) == CV_16U ? 65536 : 256);
  return pixels;
}

cv::Mat gradient(cv::Size size, int type) {
  const double most = CV_MAT_DEPTH(type) == CV_16U ? 65535 : 255;
  cv::Mat pixels(size, type);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      pixels(cv::Rect(x, y, 1, 1)) =
          cv::Scalar::all(most * (0.8 * x / size.width + 0.2 * y / size.height));
  return pixels;
}

cv::Mat text_page(cv::Size size, double degrees) {
  std::minstd_rand random(7);
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  cv::Mat page(size, CV_8UC1, cv::Scalar(235));
  const int margin = size.width / 8;
  for (int baseline = size.height / 8; baseline < size.height * 7 / 8; baseline += 40) {
    const int end = size.width - margin - (between(0, 3) == 0 ? size.width / 4 : 0);
    for (int x = margin; x < end; x += 18) {  // letters, a third of them taller, some below
      if (between(0, 5) == 0) continue;
      const int top = baseline - (between(0, 2) == 0 ? 20 : 13);
      const int bottom = baseline + (between(0, 9) == 0 ? 6 : 0);
      cv::rectangle(page, cv::Point(x, top), cv::Point(x + 3, bottom), 30, cv::FILLED);
      cv::rectangle(page, cv::Point(x, baseline - 3), cv::Point(x + 11, baseline), 30, cv::FILLED);
    }
  }
  const cv::Point2f middle(static_cast<float>(size.width) / 2, static_cast<float>(size.height) / 2);
  cv::Mat turned;
  cv::warpAffine(page, turned, cv::getRotationMatrix2D(middle, -degrees, 1), size, cv::INTER_LINEAR,
                 cv::BORDER_CONSTANT, cv::Scalar(235));
  return degrees == 0 ? page : turned;
}

cv::Mat photo_like(cv::Size size) {
  cv::Mat pixels;
  cv::resize(noise({16, 12}, CV_8UC3, 3), pixels, size, 0, 0, cv::INTER_CUBIC);
  return pixels + noise(size, CV_8UC3, 4) / 16;
}

double difference(const cv::Mat& a, const cv::Mat& b) {
  if (a.size() != b.size() || a.type() != b.type()) return 1e9;
  return cv::norm(a, b, cv::NORM_INF);
}

}  // namespace millrace::testing
