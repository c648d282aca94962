// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "millrace/catalogue.hpp"
#include "stages/codecs/codec.hpp"

namespace millrace {

namespace {

/// How many times the size that a picture is resampled to must be left by shrinking it while it is
/// decoded. Measured on eight camera photographs against a full decode, all resampled by Lanczos3
/// in double precision: 57.8 dB (luminance) at 800 pixels and 53.5 dB at 300, where vipsthumbnail
/// reaches 55.2 and 53.3; 2.0 gives 59.1 and 57.5 and decodes 20% slower at 1600 pixels.
constexpr double kept_over_target = 2;

enum class Pages { all, first };
enum class Shrink { automatic, off };

struct Decode final : Splitter<Bytes, Image> {
  Pages pages = Pages::all;
  Shrink shrink = Shrink::automatic;
  codecs::DecodeRequest request;

  void options(Options& o) override {
    o.add("pages", pages,
          {{"all", Pages::all, "Each page of a multi-page file becomes a picture."},
           {"first", Pages::first, "Only the first page is read."}},
          "Which pages of a multi-page TIFF to read.");
    o.add("max_pixels", request.max_pixels,
          "Largest picture (width x height) to decode, checked before memory is taken.")
        .unit("pixels")
        .range(1, 1e12);
    o.add("truncated", request.truncated,
          {{"fail", codecs::Truncated::fail, "The picture fails."},
           {"warn", codecs::Truncated::warn, "What is there is kept, the rest is blank."}},
          "What becomes of a picture whose file ends or breaks before its last row.");
    o.add("shrink", shrink,
          {{"auto", Shrink::automatic, "Decode at a smaller scale where a later stage shrinks."},
           {"off", Shrink::off, "Always decode every pixel."}},
          "Whether to shrink JPEG and WebP pictures while they are decoded.");
  }

  std::vector<std::string> accept(const Demand& demand) override {
    demand_ = demand;
    return {};
  }

  void run(ItemContext& context, Bytes in, const Emit& emit) const override;

 private:
  cv::Size at_least(const codecs::Header& header) const;
  Image decode(codecs::Reader& reader, int page, ItemContext& context) const;

  Demand demand_;
};

/// In stored axes; empty where every pixel is wanted.
cv::Size Decode::at_least(const codecs::Header& header) const {
  if (!demand_.target_size || shrink == Shrink::off) return {};
  const bool swapped = demand_.upright && swaps_axes(header.orientation);
  const auto turned = [swapped](cv::Size size) {
    return swapped ? cv::Size(size.height, size.width) : size;
  };
  const cv::Size target = turned(demand_.target_size(turned(header.size)));
  const auto kept = [](int side, int full) {
    return static_cast<int>(std::min(std::ceil(side * kept_over_target), double(full)));
  };
  if (target.empty()) return {};
  return {kept(target.width, header.size.width), kept(target.height, header.size.height)};
}

Image Decode::decode(codecs::Reader& reader, int page, ItemContext& context) const {
  codecs::DecodeRequest wanted = request;
  wanted.gray = demand_.gray;
  const codecs::Header header = reader.header(page);
  wanted.at_least = at_least(header);
  Image image = reader.decode(page, wanted, context);
  if (image.pixels.size() != header.size) image.full_size = header.size;
  return image;
}

/// A page that cannot be read keeps none of the others back: they are emitted, then the item fails
/// with the broken pages named.
void Decode::run(ItemContext& context, Bytes in, const Emit& emit) const {
  auto reader = codecs::open(*in.data).reader;
  const int count = reader->pages();
  const int wanted = pages == Pages::first ? 1 : count;
  std::vector<std::string> broken;
  for (int page = 1; page <= wanted; ++page) {
    Image image;
    try {
      image = decode(*reader, page, context);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || count == 1) throw;
      broken.push_back("page " + std::to_string(page) + " of " + std::to_string(count) + ": " +
                       error.what());
      continue;
    }
    if (page == wanted) {  // emit() may wait long
      reader.reset();
      in.data.reset();
    }
    emit(std::move(image), wanted > 1 ? std::optional<std::uint32_t>(page) : std::nullopt);
  }
  if (broken.empty()) return;
  std::string message = std::move(broken.front());
  for (std::size_t i = 1; i < broken.size(); ++i) message += "; " + broken[i];
  throw Error(ErrorKind::input, message);
}

const Register<Decode> registered{"decode", "Read pictures from JPEG, PNG, WebP or TIFF files.",
                                  Role::converter};

}  // namespace

}  // namespace millrace
