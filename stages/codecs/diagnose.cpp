// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/diagnose.hpp"

#include <lcms2.h>

#include <exception>
#include <opencv2/core.hpp>
#include <string>

#include "stages/codecs/codec.hpp"

namespace millrace::codecs {
namespace {

constexpr int side = 16;        // a block of every format
constexpr double most_off = 8;  // of a gray that a lossy format keeps

/// Why a picture does not come back as it was written; empty where it does.
std::string complaint_about(const Codec& codec) try {
  Image image;
  image.pixels = cv::Mat(side, side, CV_8UC3, cv::Scalar(60, 120, 180));
  ItemContext context{Context(), Origin()};
  const auto file = codec.encode(image, {}, context);
  const auto again = open(file).reader->decode(1, {}, context);
  if (again.pixels.size() != image.pixels.size() || again.pixels.type() != image.pixels.type())
    return "a picture that it wrote has another size when it is read";
  const double off = cv::norm(again.pixels, image.pixels, cv::NORM_INF);
  return off <= most_off ? "" : "a picture that it wrote has other colours when it is read";
} catch (const std::exception& error) {
  return error.what();
}

std::string lcms_version() {
  const int version = cmsGetEncodedCMMversion();  // 2140 is 2.14
  return "Little CMS " + std::to_string(version / 1000) + "." + std::to_string(version / 10 % 100);
}

}  // namespace

std::vector<Condition> diagnose() {
  std::vector<Condition> conditions;
  for (const Codec* codec : all())
    conditions.push_back({std::string(codec->name), codec->library(), complaint_about(*codec), {}});
  conditions.push_back({"colour profiles", lcms_version(), {}, {}});
  conditions.push_back({"pixels", "OpenCV " + cv::getVersionString(), {}, {}});
  return conditions;
}

}  // namespace millrace::codecs
