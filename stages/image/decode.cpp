// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "millrace/catalogue.hpp"
#include "stages/codecs/codec.hpp"
#include "stages/codecs/diagnose.hpp"

namespace millrace {

namespace {

/// Of a picture whose header is not within its head: of a camera's JPEG the pixels take 8 to 16
/// times as much as the file.
constexpr std::uint64_t guessed_growth = 16;
/// Pages of one file that stand decoded between two stages at once, as a guess.
constexpr std::uint64_t pages_under_way = 4;

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
          "Which pages of a multi-page TIFF to read.")
        .example("first");
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

  Demand demand(const Demand& downstream) const override {
    Demand demand;
    Decode told = *this;
    told.demand_ = downstream;
    demand.memory = [told = std::move(told)](const Bytes& head, std::uint64_t length) {
      return told.memory(*head.data, length);
    };
    return demand;
  }

  void run(ItemContext& context, Bytes in, const Emit& emit) const override;

  std::vector<Condition> diagnose() const override { return codecs::diagnose(); }

 private:
  std::uint64_t memory(codecs::Content head, std::uint64_t length) const;
  std::uint64_t memory(codecs::Reader& reader, std::uint64_t length) const;
  cv::Size target_size(const codecs::Header& header) const;
  cv::Size at_least(const codecs::Header& header) const;
  Image decode(codecs::Reader& reader, int page, ItemContext& context) const;
  bool decode_elsewhere(ItemContext& context, const Bytes& in, const Emit& emit) const;

  Demand demand_;
};

std::uint64_t Decode::memory(codecs::Content head, std::uint64_t length) const {
  if (!codecs::recognised(head)) return length;
  try {
    const auto reader = codecs::open(head).reader;
    return memory(*reader, length);
  } catch (const Error&) {  // it will fail, unless there is more to its header
    return head.size() < length ? length * guessed_growth : length;
  }
}

/// What the content, the picture and what the codec keeps beside it take until the picture is
/// whole, or, if it is more, then two pictures that a stage takes and makes: the one that comes out
/// of here and its result, or results of that size. Not counted are stages that need more than this
/// (turning what is transparent, some encoders).
std::uint64_t Decode::memory(codecs::Reader& reader, std::uint64_t length) const {
  const codecs::Header header = reader.header(1);
  if (std::int64_t{header.size.width} * header.size.height > request.max_pixels) return length;
  codecs::DecodeRequest wanted = request;
  wanted.gray = demand_.gray;
  wanted.at_least = at_least(header);
  const codecs::Need need = reader.need(1, wanted);
  std::uint64_t next = need.pixels;
  if (const cv::Size target = target_size(header); !target.empty())
    next = codecs::bytes_of(target, header.channels, header.bits);
  const std::uint64_t larger = std::max(need.pixels, next);
  const std::uint64_t decoding = length + need.pixels + need.beside;
  if (pages == Pages::all && reader.pages() > 1) return decoding + larger * pages_under_way;
  return std::max(decoding, larger + next);
}

/// In stored axes; empty where the picture keeps its size.
cv::Size Decode::target_size(const codecs::Header& header) const {
  if (!demand_.target_size) return {};
  const bool swapped = demand_.upright && swaps_axes(header.orientation);
  const auto turned = [swapped](cv::Size size) {
    return swapped ? cv::Size(size.height, size.width) : size;
  };
  return turned(demand_.target_size(turned(header.size)));
}

/// In stored axes; empty where every pixel is wanted.
cv::Size Decode::at_least(const codecs::Header& header) const {
  if (shrink == Shrink::off) return {};
  const cv::Size target = target_size(header);
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

/// By the first of the plugins' decoders that knows the format; false when none does.
bool Decode::decode_elsewhere(ItemContext& context, const Bytes& in, const Emit& emit) const {
  const Emit emit_wanted = [&](Payload payload, std::optional<std::uint32_t> page) {
    if (pages == Pages::first && page.value_or(1) > 1) return;
    emit(std::move(payload), pages == Pages::first ? std::nullopt : page);
  };
  for (const auto* entry : Catalogue::instance().all()) {
    if (entry->role != Role::decoder) continue;
    std::unique_ptr<Stage> decoder;
    try {
      decoder = entry->make();
    } catch (const Error& error) {  // a plugin that cannot be opened; another may know the format
      context.warn(error.what());
      continue;
    }
    Options options;
    decoder->options(options);
    if (auto* limit = options.find("max_pixels"))
      (void)limit->assign(Value::scalar(std::to_string(request.max_pixels)));
    ItemContext own(context, context.origin());
    decoder->make_worker(context)->work(own, in, emit_wanted);
    for (const auto& warning : own.warnings()) context.warn(warning);
    if (!own.skipped()) return true;
  }
  return false;
}

/// A page that cannot be read keeps none of the others back: they are emitted, then the item fails
/// with the broken pages named.
void Decode::run(ItemContext& context, Bytes in, const Emit& emit) const {
  if (!in.data->empty() && !codecs::recognised(*in.data) && decode_elsewhere(context, in, emit))
    return;
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

const Register<Decode> registered{
    "decode", "Read pictures from JPEG, PNG, WebP or TIFF files, and what plugins decode.",
    Role::converter};

}  // namespace

}  // namespace millrace
