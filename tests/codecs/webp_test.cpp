// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <webp/encode.h>
#include <webp/mux.h>

#include <opencv2/imgproc.hpp>

#include "codecs/samples.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::samples;

namespace {

File animation(int frames) {
  WebPAnimEncoderOptions options;
  WebPAnimEncoderOptionsInit(&options);
  WebPAnimEncoder* encoder = WebPAnimEncoderNew(40, 30, &options);
  WebPConfig config;
  WebPConfigInit(&config);
  config.lossless = 1;
  for (int i = 0; i < frames; ++i) {
    const cv::Mat pixels(30, 40, CV_8UC3, cv::Scalar(50 * i, 255, 255 - 50 * i));
    WebPPicture picture;
    WebPPictureInit(&picture);
    picture.use_argb = 1;
    picture.width = 40;
    picture.height = 30;
    WebPPictureImportBGR(&picture, pixels.data, static_cast<int>(pixels.step));
    WebPAnimEncoderAdd(encoder, &picture, i * 100, &config);
    WebPPictureFree(&picture);
  }
  WebPAnimEncoderAdd(encoder, nullptr, frames * 100, nullptr);
  WebPData data;
  WebPDataInit(&data);
  WebPAnimEncoderAssemble(encoder, &data);
  const auto bytes = std::as_bytes(std::span(data.bytes, data.size));
  File file(bytes.begin(), bytes.end());
  WebPDataClear(&data);
  WebPAnimEncoderDelete(encoder);
  return file;
}

/// One opaque red frame of 10 x 8 at (6, 4) on a canvas of 40 x 30.
File small_frame() {
  Image red;
  red.pixels = cv::Mat(8, 10, CV_8UC3, cv::Scalar(0, 0, 255));
  codecs::EncodeOptions options;
  options.lossless = true;
  const File picture = encoded(codecs::webp_codec, red, options);
  WebPMux* mux = WebPMuxNew();
  WebPMuxFrameInfo frame{};
  frame.bitstream = {reinterpret_cast<const std::uint8_t*>(picture.data()), picture.size()};
  frame.x_offset = 6;
  frame.y_offset = 4;
  frame.duration = 100;
  frame.id = WEBP_CHUNK_ANMF;
  const WebPMuxAnimParams animation{0, 0};
  WebPMuxPushFrame(mux, &frame, 1);
  WebPMuxSetAnimationParams(mux, &animation);
  WebPMuxSetCanvasSize(mux, 40, 30);
  WebPData data{};
  WebPMuxAssemble(mux, &data);
  const auto bytes = std::as_bytes(std::span(data.bytes, data.size));
  File file(bytes.begin(), bytes.end());
  WebPDataClear(&data);
  WebPMuxDelete(mux);
  return file;
}

}  // namespace

TEST_CASE("an animated WebP gives its first frame and says what is dropped", "[codecs][webp]") {
  ItemContext context = item();
  const Image after = decoded(animation(3), {}, context);
  CHECK(largest_difference(after.pixels, cv::Mat(30, 40, CV_8UC3, cv::Scalar(0, 255, 255))) == 0);
  REQUIRE(context.warnings().size() == 1);
  CHECK_THAT(context.warnings()[0], ContainsSubstring("2 frames are dropped"));
}

TEST_CASE("a first frame smaller than the canvas stands in a transparent one", "[codecs][webp]") {
  const cv::Mat after = decoded(small_frame()).pixels;
  REQUIRE(after.type() == CV_8UC4);
  REQUIRE(after.size() == cv::Size(40, 30));
  CHECK(after.at<cv::Vec4b>(4, 6) == cv::Vec4b(0, 0, 255, 255));
  CHECK(after.at<cv::Vec4b>(11, 15) == cv::Vec4b(0, 0, 255, 255));
  CHECK(after.at<cv::Vec4b>(3, 6)[3] == 0);
  CHECK(after.at<cv::Vec4b>(12, 15)[3] == 0);
}

TEST_CASE("alpha is kept by lossy WebP", "[codecs][webp]") {
  Image before = image({64, 48}, CV_8UC4);
  const cv::Mat after = decoded(encoded(codecs::webp_codec, before)).pixels;
  REQUIRE(after.type() == CV_8UC4);
  cv::Mat alpha[2];
  cv::extractChannel(before.pixels, alpha[0], 3);
  cv::extractChannel(after, alpha[1], 3);
  CHECK(largest_difference(alpha[0], alpha[1]) == 0);
}

TEST_CASE("a WebP is shrunk while it is decoded, both axes alike", "[codecs][webp]") {
  const Image before = image({640, 400}, CV_8UC3);
  const File file = encoded(codecs::webp_codec, before);
  codecs::DecodeRequest request;
  request.at_least = cv::Size(160, 50);
  const cv::Mat after = decoded(file, request).pixels;
  REQUIRE(after.size() == cv::Size(160, 100));
  cv::Mat expected;
  cv::resize(before.pixels, expected, after.size(), 0, 0, cv::INTER_AREA);
  CHECK(mean_difference(after, expected) < 5);
  request.at_least = cv::Size(400, 250);  // too near to the full size to be worth it
  CHECK(decoded(file, request).pixels.size() == cv::Size(640, 400));
}

TEST_CASE("a WebP with alpha is not shrunk while it is decoded, which would leave a halo",
          "[codecs][webp]") {
  const File file = encoded(codecs::webp_codec, image({640, 400}, CV_8UC4));
  codecs::DecodeRequest request;
  request.at_least = cv::Size(160, 50);
  CHECK(decoded(file, request).pixels.size() == cv::Size(640, 400));
}

TEST_CASE("a cut WebP says after which row and keeps what it has when that is asked for",
          "[codecs][webp][damage]") {
  for (const bool lossless : {false, true}) {
    const Image before = image({200, 150}, CV_8UC3);
    codecs::EncodeOptions options;
    options.lossless = lossless;
    const File file = cut(encoded(codecs::webp_codec, before, options), 0.8);
    CHECK_THAT(decode_error(file),
               ContainsSubstring("truncated: ends after row ") && ContainsSubstring(" of 150"));
    codecs::DecodeRequest request;
    request.truncated = codecs::Truncated::warn;
    ItemContext context = item();
    const cv::Mat after = decoded(file, request, context).pixels;
    CHECK(context.warnings().size() == 1);
    CHECK(mean_difference(after.rowRange(0, 20), before.pixels.rowRange(0, 20)) < 6);
    CHECK(cv::countNonZero(after.row(149).reshape(1)) == 0);
  }
}

TEST_CASE("a WebP cut in its header says so", "[codecs][webp][damage]") {
  File file = encoded(codecs::webp_codec, image({20, 10}, CV_8UC3));
  file.resize(16);
  CHECK_THAT(decode_error(file), ContainsSubstring("truncated: ends within its header"));
}
