// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "millrace/catalogue.hpp"
#include "millrace/gray.hpp"

namespace millrace::inline v1 {
namespace {

struct Sepia final : Transform<Image, Image> {
  double strength = 0.8;  // the only place the default is written

  void options(Options& o) override {
    o.add("strength", strength, "How brown the picture becomes; 0 makes it gray.").range(0, 1);
  }

  /// What this stage needs of its input: no colour, so that decode can leave it out.
  Demand demand(const Demand& downstream) const override {
    Demand demand = downstream;
    demand.gray = true;
    return demand;
  }

  /// Called by several workers at once, each with a picture of its own.
  Image run(ItemContext& context, Image image) const override {
    make_gray(context, image);  // 8 or 16 bits a sample, as before
    image.icc_profile.reset();  // one of gray curves would not fit what comes out
    // Gray with less blue and a little less green looks like an old print.
    cv::Mat bgr;
    cv::cvtColor(image.pixels, bgr, cv::COLOR_GRAY2BGR);
    cv::multiply(bgr, cv::Scalar(1 - 0.45 * strength, 1 - 0.2 * strength, 1), image.pixels);
    return image;
  }
};

const Register<Sepia> registered{"sepia", "Tint a picture brown, like an old photograph."};

}  // namespace
}  // namespace millrace::inline v1
