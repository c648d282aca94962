// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "invert.h"
#include "millrace/catalogue.hpp"

namespace millrace::inline v1 {
namespace {

struct Invert final : Transform<Image, Image> {
  Image run(ItemContext&, Image image) const override {
    image.own_pixels();
    cv::Mat& pixels = image.pixels;
    const auto bytes = static_cast<std::size_t>(pixels.cols) * pixels.elemSize();
    for (int y = 0; y < pixels.rows; ++y) invert_row(pixels.ptr(y), bytes);
    return image;
  }
};

const Register<Invert> registered{"invert_cpp", "Turn a picture into its negative."};

}  // namespace
}  // namespace millrace::inline v1
