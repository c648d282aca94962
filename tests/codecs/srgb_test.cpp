// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <lcms2.h>

#include <array>
#include <opencv2/core.hpp>

#include "codecs/samples.hpp"
#include "stages/codecs/icc.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::codecs;
using namespace millrace::samples;

namespace {

/// Display P3's colours (SMPTE EG 432-1 with D65), with a plain curve.
File wide_profile(double gamma) {
  const cmsCIExyY white{0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE primaries{{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
  cmsToneCurve* curve = cmsBuildGamma(nullptr, gamma);
  cmsToneCurve* curves[] = {curve, curve, curve};
  const cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, curves);
  cmsFreeToneCurve(curve);
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  File file(size);
  cmsSaveProfileToMem(profile, file.data(), &size);
  cmsCloseProfile(profile);
  return file;
}

Image plain(int type, const cv::Scalar& colour, File profile) {
  Image picture;
  picture.pixels = cv::Mat(40, 30, type, colour);
  picture.icc_profile = shared(std::move(profile));
  return picture;
}

}  // namespace

TEST_CASE("wide colours become what sRGB calls them", "[codecs][icc]") {
  // A P3 green of half strength is beyond sRGB; a gray stays gray, by the other curve.
  Image green = plain(CV_8UC3, {60, 180, 60}, wide_profile(2.2));
  ItemContext context = item();
  make_srgb(green, context);
  const auto pixel = green.pixels.at<cv::Vec3b>(39, 29);
  CHECK(pixel[2] < 40);
  CHECK(pixel[1] > 180);
  CHECK(green.icc_profile == nullptr);
  Image gray = plain(CV_8UC3, {55, 55, 55}, wide_profile(1.0));
  make_srgb(gray, context);
  // 55/255 of the light is 0.5029 of sRGB's scale (IEC 61966-2-1).
  for (int c = 0; c < 3; ++c) CHECK(std::abs(gray.pixels.at<cv::Vec3b>(0, 0)[c] - 128) <= 1);
  CHECK(context.warnings().empty());
}

TEST_CASE("alpha and 16 bits stay while colours are brought to sRGB", "[codecs][icc]") {
  Image picture = plain(CV_16UC4, {14135, 14135, 14135, 1234}, wide_profile(1.0));
  ItemContext context = item();
  make_srgb(picture, context);
  const auto pixel = picture.pixels.at<cv::Vec4w>(7, 7);
  CHECK(std::abs(pixel[0] - 32896) < 150);
  CHECK(pixel[3] == 1234);
}

TEST_CASE("a gray picture gets sRGB's curve", "[codecs][icc]") {
  Image picture = plain(CV_8UC1, {55}, gray_profile());  // gamma 2.2
  ItemContext context = item();
  make_srgb(picture, context);
  CHECK(picture.pixels.channels() == 1);
  // (55/255)^2.2 of the light, by sRGB's curve.
  CHECK(std::abs(picture.pixels.at<std::uint8_t>(0, 0) - 52) <= 1);
  CHECK(picture.icc_profile == nullptr);
}

TEST_CASE("a picture that is sRGB already keeps every sample, and shares its pixels",
          "[codecs][icc]") {
  Image picture = image({40, 30}, CV_8UC3);
  picture.icc_profile = shared(srgb_profile());
  const Image before = picture;
  ItemContext context = item();
  make_srgb(picture, context);
  CHECK(picture.pixels.data == before.pixels.data);
  CHECK(picture.icc_profile == nullptr);
}

TEST_CASE("the pixels of others stay as they are when colours are brought to sRGB",
          "[codecs][icc]") {
  Image picture = plain(CV_8UC3, {60, 180, 60}, wide_profile(2.2));
  const Image other = picture;
  ItemContext context = item();
  make_srgb(picture, context);
  CHECK(other.pixels.at<cv::Vec3b>(0, 0) == cv::Vec3b(60, 180, 60));
}

TEST_CASE("a profile that cannot be used is taken away with a warning", "[codecs][icc]") {
  File broken = wide_profile(2.2);
  broken.resize(200);
  Image picture = plain(CV_8UC3, {1, 2, 3}, std::move(broken));
  ItemContext context = item();
  make_srgb(picture, context);
  CHECK(picture.icc_profile == nullptr);
  CHECK(picture.pixels.at<cv::Vec3b>(0, 0) == cv::Vec3b(1, 2, 3));
  REQUIRE(context.warnings().size() == 1);
  CHECK_THAT(context.warnings()[0], ContainsSubstring("profile"));
}
