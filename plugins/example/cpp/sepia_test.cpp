// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Finds the plugin as Millrace does, runs it on one pixel, and looks at what came out.

#include <cstdio>
#include <opencv2/core/mat.hpp>
#include <utility>

#include "millrace/catalogue.hpp"
#include "millrace/plugin.hpp"

using namespace millrace;

namespace {

Image run(const Stage& stage, Image image) {
  const Context root;
  ItemContext context(root, Origin{"test.png", {}, 0, std::nullopt});
  Image result;
  stage.make_worker(root)->work(context, std::move(image), [&](Payload payload, auto) {
    result = std::get<Image>(std::move(payload));
  });
  return result;
}

}  // namespace

int main() {
  load_manifests();
  const auto* const entry = Catalogue::instance().find("sepia");
  if (entry == nullptr) {
    std::puts("the plugin was not found");
    return 1;
  }
  Image image;
  image.pixels = cv::Mat(1, 1, CV_8UC3, cv::Scalar(200, 200, 200));
  const auto pixel = run(*entry->make(), image).pixels.at<cv::Vec3b>(0, 0);
  std::printf("blue %d, green %d, red %d\n", pixel[0], pixel[1], pixel[2]);
  return pixel[0] < pixel[1] && pixel[1] < pixel[2] && pixel[2] == 200 ? 0 : 1;
}
