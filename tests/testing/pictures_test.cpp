// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/pictures.hpp"

#include <filesystem>
#include <opencv2/core.hpp>

#include "support/catch.hpp"
#include "support/tried.hpp"
#include "testing/picture_difference.hpp"

using namespace millrace;
using test::said;
using test::Tried;

namespace {

Image uniform(int type, const cv::Scalar& value, cv::Size size = {10, 10}) {
  Image image;
  image.pixels = cv::Mat(size, type, value);
  return image;
}

Tried with_picture(const std::string& picture) {
  return Tried(test::resizing,
               "  - { name: a picture, input: a.png, expect: { picture: { " + picture + " } } }\n");
}

/// Accepts what comes as expected.png, then changes that.
template <class Change>
TestResult after(Tried tried, const Change& change) {
  tried.settings.accept = true;
  REQUIRE(tried.run().passed());
  tried.settings.accept = false;
  const auto file = tried.folder.path() / "expected.png";
  auto image = decode_pictures(read_file(file)).front();
  change(image);
  write_file(file, encode_picture(image, "png"));
  return tried.run();
}

}  // namespace

TEST_CASE("a pixel differs by its worst channel, in percent of the full range", "[testing]") {
  const auto dark = uniform(CV_8UC3, {0, 0, 0});
  const auto found = compare_pictures(uniform(CV_8UC3, {0, 51, 0}), dark, 19);
  CHECK(found.different == 100);
  CHECK_THAT(found.largest, WithinAbs(20, 1e-3));
  CHECK(compare_pictures(uniform(CV_8UC3, {0, 51, 0}), dark, 20).different == 0);
  CHECK(compare_pictures(uniform(CV_16UC1, 656), uniform(CV_16UC1, 0), 1).different == 100);
  CHECK(compare_pictures(uniform(CV_16UC1, 655), uniform(CV_16UC1, 0), 1).different == 0);
}

TEST_CASE("pictures of another kind are not compared pixel by pixel", "[testing]") {
  const auto colour = uniform(CV_8UC3, {9, 9, 9});
  const auto unlike = [&](const Image& image) {
    return compare_pictures(image, colour, 100).unlike;
  };
  CHECK(unlike(uniform(CV_8UC1, 9)) == "it is gray, expected colour");
  CHECK(unlike(uniform(CV_8UC4, {9, 9, 9, 255})) == "it is colour with alpha, expected colour");
  CHECK(unlike(uniform(CV_16UC3, {9, 9, 9})) == "it is 16 bits, expected 8 bits");
  CHECK(unlike(uniform(CV_8UC3, {9, 9, 9}, {10, 9})) == "it is 10x9, expected 10x10");
  auto turned = colour;
  turned.orientation = Orientation::rotated_180;
  CHECK_THAT(unlike(turned), ContainsSubstring("orientation 3"));
  CHECK(unlike(colour).empty());
}

TEST_CASE("colour that cannot be seen does not differ, alpha does", "[testing]") {
  const auto clear = uniform(CV_8UC4, {0, 0, 0, 0});
  CHECK(compare_pictures(uniform(CV_8UC4, {255, 0, 0, 0}), clear, 0).different == 0);
  CHECK(compare_pictures(uniform(CV_8UC4, {0, 0, 0, 255}), clear, 50).different == 100);
}

TEST_CASE("the picture of a difference is black where there is none", "[testing]") {
  auto got = uniform(CV_8UC1, 100);
  got.pixels.at<std::uint8_t>(3, 4) = 101;
  got.pixels.at<std::uint8_t>(3, 5) = 110;
  const auto found = compare_pictures(got, uniform(CV_8UC1, 100), 0);
  CHECK(found.different == 2);
  CHECK(found.at == cv::Point(5, 3));
  CHECK(cv::countNonZero(found.amplified) == 2);
  CHECK(found.amplified.at<std::uint8_t>(3, 5) == 255);
}

TEST_CASE("a picture that is the expected one passes, within what is allowed", "[testing]") {
  const auto one_pixel = [](Image& image) { image.pixels.at<cv::Vec3b>(0, 0)[2] += 26; };
  CHECK(after(with_picture("file: expected.png"), [](Image&) {}).passed());
  CHECK_FALSE(after(with_picture("file: expected.png"), one_pixel).passed());
  CHECK(after(with_picture("file: expected.png, tolerance: 11%"), one_pixel).passed());
  CHECK_FALSE(after(with_picture("file: expected.png, tolerance: 10%"), one_pixel).passed());
  // One of 8 x 6.
  CHECK(after(with_picture("file: expected.png, max_different: 3%"), one_pixel).passed());
  CHECK_FALSE(after(with_picture("file: expected.png, max_different: 2%"), one_pixel).passed());
}

TEST_CASE("a picture that differs is told with its numbers and shown", "[testing]") {
  auto tried = with_picture("file: '{stem}.expected.png'");
  tried.settings.accept = true;
  REQUIRE(tried.run().passed());
  tried.settings.accept = false;
  const auto file = tried.folder.path() / "a.expected.png";
  auto image = decode_pictures(read_file(file)).front();
  image.pixels.at<cv::Vec3b>(2, 1)[2] += 51;
  write_file(file, encode_picture(image, "png"));
  const auto result = tried.run();
  REQUIRE(result.complaints.size() == 1);
  CHECK_THAT(result.complaints[0],
             ContainsSubstring("a.png: picture: 2.1% of the pixels differ by more than 1% (at most "
                               "0% may), the most by 20.0% at x 1, y 2; expected "));
  for (const auto* what : {"expected", "got", "difference"}) {
    const auto shown =
        tried.folder.path() / "shown/a-picture" / ("a.png." + std::string(what) + ".png");
    CHECK_THAT(said(result), ContainsSubstring("see " + shown.string()));
    CHECK(decode_pictures(read_file(shown)).front().pixels.size() == cv::Size(8, 6));
  }
}

TEST_CASE("a picture of another size differs", "[testing]") {
  const auto result = after(with_picture("file: expected.png, tolerance: 100%"), [](Image& image) {
    image.pixels = image.pixels.rowRange(0, 5).clone();
  });
  CHECK_THAT(said(result), ContainsSubstring("picture: it is 8x6, expected 8x5"));
}

TEST_CASE("an expected picture that is not there fails until it is accepted", "[testing]") {
  auto tried = with_picture("file: new/expected.png");
  const auto missing = tried.run();
  CHECK_FALSE(missing.passed());
  CHECK_THAT(said(missing), ContainsSubstring("new/expected.png is not there; look at what came"));
  CHECK_FALSE(std::filesystem::exists(tried.folder.path() / "new"));
  tried.settings.accept = true;
  const auto accepted = tried.run();
  CHECK(accepted.passed());
  CHECK_THAT(said(accepted), ContainsSubstring("accepted: "));
  tried.settings.accept = false;
  CHECK(tried.run().passed());
  CHECK(said(tried.run()).empty());
}

TEST_CASE("an expected picture is kept without loss", "[testing]") {
  auto tried = with_picture("file: expected.jpg");
  tried.settings.accept = true;
  CHECK_THAT(said(tried.run()), ContainsSubstring("let its name end with .png or .tif"));
  CHECK_FALSE(std::filesystem::exists(tried.folder.path() / "expected.jpg"));
}

TEST_CASE("several outputs are not compared with one file", "[testing]") {
  Tried tried(test::resizing,
              "  - { name: x, input: [a.png, b.png], expect: { picture: { file: e.png } } }\n"
              "  - { name: y, input: [a.png, b.png], expect: { picture: { file: '{stem}.e.png' } } "
              "}\n");
  tried.settings.accept = true;
  CHECK_THAT(said(tried.run(0)), ContainsSubstring("would be compared with e.png; put {path}"));
  CHECK(tried.run(1).passed());
  CHECK(decode_pictures(read_file(tried.folder.path() / "b.e.png")).front().pixels.rows == 8);
}

TEST_CASE("an expected picture that is a folder or a device fails its test alone",
          "[testing][picture]") {
  auto folder = with_picture("file: out");
  std::filesystem::create_directory(folder.folder / "out");
  CHECK_THAT(said(folder.run()), ContainsSubstring("out: it is a folder, not a file"));
  auto device = with_picture("file: /dev/zero");
  CHECK_THAT(said(device.run()), ContainsSubstring("/dev/zero: it is a device, not a file"));
}
