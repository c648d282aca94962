// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/resample_reference.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace millrace::testing {
namespace {

double kernel(double x, bool shrinks) {
  x = std::abs(x);
  if (shrinks) {
    const double px = std::numbers::pi * x;
    return x >= 3 ? 0 : x == 0 ? 1 : 3 * std::sin(px) * std::sin(px / 3) / (px * px);
  }
  if (x >= 2) return 0;
  return x < 1 ? 1.5 * x * x * x - 2.5 * x * x + 1 : -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2;
}

/// A weight for every source sample of an axis, most of them 0.
std::vector<double> weights_of(int output, int inputs, int outputs) {
  const double scale = static_cast<double>(inputs) / outputs;
  const double stretch = std::max(scale, 1.0);
  std::vector<double> weights(inputs);
  double sum = 0;
  for (int i = 0; i < inputs; ++i)
    sum += weights[i] = kernel((i + 0.5 - (output + 0.5) * scale) / stretch, scale >= 1);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

cv::Mat resample_reference(const cv::Mat& pixels, cv::Size size) {
  const int channels = pixels.channels();
  cv::Mat source, result(size, CV_64FC(channels), cv::Scalar::all(0));
  pixels.convertTo(source, CV_64F);
  std::vector<std::vector<double>> across;
  for (int x = 0; x < size.width; ++x) across.push_back(weights_of(x, source.cols, size.width));
  for (int y = 0; y < size.height; ++y) {
    const auto down = weights_of(y, source.rows, size.height);
    for (int x = 0; x < size.width; ++x)
      for (int v = 0; v < source.rows; ++v)
        for (int u = 0; down[v] != 0 && u < source.cols; ++u)
          for (int c = 0; c < channels; ++c)
            result.ptr<double>(y)[x * channels + c] +=
                down[v] * across[x][u] * source.ptr<double>(v)[u * channels + c];
  }
  return result;
}

}  // namespace millrace::testing
