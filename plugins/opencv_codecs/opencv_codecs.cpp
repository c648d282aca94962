// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <opencv2/imgcodecs.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "millrace/catalogue.hpp"
#include "picture_head.hpp"
#include "quiet.hpp"

namespace millrace::opencv_codecs {
namespace {

struct OpencvDecode final : Transform<Bytes, Image> {
  std::int64_t max_pixels = 500'000'000;

  void options(Options& o) override {
    o.add("max_pixels", max_pixels,
          "Largest picture (width x height) to decode, checked before memory is taken.")
        .unit("pixels")
        .range(1, 1e12);
  }

  Image run(ItemContext& context, Bytes in) const override;
  std::vector<Condition> diagnose() const override;
};

/// imdecode() takes any format; the content was found to be of one that is known.
cv::Mat decoded(const std::vector<std::byte>& file) {
  const Quiet quiet;
  try {
    const cv::Mat content(1, static_cast<int>(file.size()), CV_8U,
                          const_cast<std::byte*>(file.data()));
    return cv::imdecode(content, cv::IMREAD_UNCHANGED);
  } catch (const cv::Exception& error) {
    const auto kind = error.code == cv::Error::StsNoMem ? ErrorKind::resource : ErrorKind::input;
    throw Error(kind, "cannot be decoded: " + error.err);
  }
}

Image OpencvDecode::run(ItemContext& context, Bytes in) const {
  auto head = read_head(*in.data);
  if (!head) {
    context.skip("is none of BMP, JPEG 2000 and PNM");
    return {};
  }
  const std::string size = std::to_string(head->width) + " x " + std::to_string(head->height);
  if (head->width > max_pixels / head->height)
    throw Error(ErrorKind::input, "has " + size + " pixels, above the limit of " +
                                      std::to_string(max_pixels) + "; option max_pixels raises it");
  if (in.data->size() > INT32_MAX) throw Error(ErrorKind::input, "is larger than 2 GiB");
  Image image;
  image.pixels = decoded(*in.data);
  if (image.pixels.empty())
    throw Error(ErrorKind::input, "is corrupt or truncated, or of a kind that is not read");
  const int channels = image.pixels.channels();
  if (image.pixels.depth() > CV_16U || image.pixels.depth() == CV_8S || channels == 2 ||
      channels > 4)
    throw Error(ErrorKind::input,
                "has samples of a kind that is not read: 8 or 16 bits in 1, 3 or "
                "4 channels are");
  if (head->unscaled_maximum != 0) {
    const double full = image.pixels.depth() == CV_8U ? 255 : 65535;
    image.pixels.convertTo(image.pixels, -1, full / head->unscaled_maximum);
  }
  image.resolution = head->resolution;
  image.icc_profile = std::move(head->icc_profile);
  image.format = std::move(head->format);
  return image;
}

/// By a picture of one pixel in the simplest of its formats.
std::vector<Condition> OpencvDecode::diagnose() const {
  Condition found{"BMP, JPEG 2000, PNM", "OpenCV " + cv::getVersionString(), {}, {}};
  constexpr std::string_view pixel = "P5 1 1 255\n\x7f";
  const auto bytes = std::as_bytes(std::span(pixel));
  try {
    if (decoded({bytes.begin(), bytes.end()}).total() != 1)
      found.problem = "a picture of one pixel cannot be read";
  } catch (const Error& error) {
    found.problem = error.what();
  }
  return {found};
}

const Register<OpencvDecode> registered{
    "opencv_decode", "Read pictures from BMP, JPEG 2000 or PNM files.", Role::decoder};

}  // namespace
}  // namespace millrace::opencv_codecs
