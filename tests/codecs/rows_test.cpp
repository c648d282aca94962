// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/rows.hpp"

#include <array>

#include "codecs/samples.hpp"
#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::codecs;
using namespace millrace::samples;

TEST_CASE("16 bits become 8 rounded to nearest", "[codecs][rows]") {
  const cv::Mat deep = (cv::Mat_<std::uint16_t>(1, 5) << 0, 128, 129, 32768, 65535);
  EightBitRows rows(deep, true, {});
  CHECK(std::vector<int>(rows.row(0), rows.row(0) + 5) == std::vector<int>{0, 0, 1, 128, 255});
}

TEST_CASE("8-bit rows without alpha are handed out without a copy", "[codecs][rows]") {
  const cv::Mat pixels = drawing({7, 3}, CV_8UC3);
  EightBitRows rows(pixels, false, {});
  CHECK(rows.row(2) == pixels.ptr<std::uint8_t>(2));
}

TEST_CASE("half transparency mixes with the background", "[codecs][rows]") {
  const cv::Mat pixel(1, 1, CV_8UC4, cv::Scalar(200, 100, 0, 128));
  EightBitRows rows(pixel, false, Colour{255, 255, 255});
  const auto* row = rows.row(0);
  CHECK(std::vector<int>(row, row + 3) == std::vector<int>{227, 177, 127});
}

TEST_CASE("only pictures of 0 and 255 are bilevel", "[codecs][rows]") {
  cv::Mat page = strokes({50, 40});
  CHECK(is_bilevel(page));
  page.at<std::uint8_t>(39, 49) = 254;
  CHECK_FALSE(is_bilevel(page));
  page.at<std::uint8_t>(39, 49) = 1;
  CHECK_FALSE(is_bilevel(page));
  CHECK_FALSE(is_bilevel(cv::Mat(2, 2, CV_8UC3, cv::Scalar::all(255))));
  CHECK_FALSE(is_bilevel(cv::Mat(2, 2, CV_16UC1, cv::Scalar::all(255))));
}

TEST_CASE("samples are packed from the highest bit on, at every width", "[codecs][rows]") {
  std::array<std::uint8_t, 19> samples{};
  for (const int i : {0, 3, 7, 9, 16, 18}) samples[static_cast<std::size_t>(i)] = 255;
  std::array<std::uint8_t, 3> bits{};
  pack_bits(samples.data(), 19, 255, bits.data());
  CHECK(bits == std::array<std::uint8_t, 3>{0b10010001, 0b01000000, 0b10100000});
  pack_bits(samples.data(), 19, 0, bits.data());
  CHECK(bits == std::array<std::uint8_t, 3>{0b01101110, 0b10111111, 0b01000000});
}
