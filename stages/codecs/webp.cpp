// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "stages/codecs/endian.hpp"
#include "stages/codecs/exif.hpp"
#include "stages/codecs/icc.hpp"
#include "stages/codecs/rows.hpp"
#include "stages/codecs/seam.hpp"

namespace millrace::codecs {

namespace {

constexpr int default_quality = 80;

const std::uint8_t* octets(Content bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

Content content(const WebPData& data) { return std::as_bytes(std::span(data.bytes, data.size)); }

struct DemuxCloser {
  void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
};
using Demuxer = std::unique_ptr<WebPDemuxer, DemuxCloser>;

/// The file's one picture, or the first frame of its animation.
struct Frame {
  Content data;
  cv::Rect place;  // on the canvas
  bool alpha = false;
  bool lossless = false;
  std::uint32_t frames = 1;
};

class WebpReader final : public Reader {
 public:
  explicit WebpReader(Content file);

  Header header(int) override { return header_; }
  Need need(int, const DecodeRequest& request) override;

 protected:
  Image read(int, const DecodeRequest& request, ItemContext& context) override;

 private:
  Content chunk(const char* name) const;
  void find_frame();
  cv::Size decoded_size(const DecodeRequest& request) const;
  void decode(cv::Mat pixels, bool scaled, const DecodeRequest& request, ItemContext& context);

  Content file_;
  Demuxer demuxer_;
  Frame frame_;
  Header header_;
  std::optional<int> orientation_tag_;
};

WebpReader::WebpReader(Content file) : file_(file) {
  WebPBitstreamFeatures features;
  const auto status = WebPGetFeatures(octets(file), file.size(), &features);
  if (status == VP8_STATUS_NOT_ENOUGH_DATA)
    throw Error(ErrorKind::input, "truncated: ends within its header");
  if (status != VP8_STATUS_OK) throw Error(ErrorKind::input, "corrupt: its header is broken");
  header_.size = cv::Size(features.width, features.height);
  constexpr int lossless = 2;
  frame_ = {file, {{}, header_.size}, features.has_alpha != 0, features.format == lossless, 1};

  const WebPData data{octets(file), file.size()};
  WebPDemuxState state;
  demuxer_.reset(WebPDemuxPartial(&data, &state));
  if (features.has_animation) find_frame();
  header_.channels = frame_.alpha || frame_.place.size() != header_.size ? 4 : 3;
  const Exif exif = read_exif(chunk("EXIF"));
  orientation_tag_ = exif.orientation;
  header_.orientation = orientation_of(exif.orientation.value_or(1));
  header_.resolution = exif.resolution;
}

void WebpReader::find_frame() {
  WebPIterator first;
  if (!demuxer_ || WebPDemuxGetFrame(demuxer_.get(), 1, &first) == 0)
    throw Error(ErrorKind::input, "truncated: ends before its first frame");
  header_.size = cv::Size(static_cast<int>(WebPDemuxGetI(demuxer_.get(), WEBP_FF_CANVAS_WIDTH)),
                          static_cast<int>(WebPDemuxGetI(demuxer_.get(), WEBP_FF_CANVAS_HEIGHT)));
  frame_ = {content(first.fragment),
            {first.x_offset, first.y_offset, first.width, first.height},
            first.has_alpha != 0,
            true,  // not told here
            WebPDemuxGetI(demuxer_.get(), WEBP_FF_FRAME_COUNT)};
  WebPDemuxReleaseIterator(&first);
  if ((frame_.place & cv::Rect({}, header_.size)) != frame_.place)
    throw Error(ErrorKind::input, "corrupt: its first frame lies outside of the picture");
}

Content WebpReader::chunk(const char* name) const {
  WebPChunkIterator found;
  if (!demuxer_ || WebPDemuxGetChunk(demuxer_.get(), name, 1, &found) == 0) return {};
  const Content bytes = content(found.chunk);  // in file_
  WebPDemuxReleaseChunkIterator(&found);
  return bytes;
}

// Piece by piece, the library taking no copy, so that the context is asked between the pieces.
void WebpReader::decode(cv::Mat pixels, bool scaled, const DecodeRequest& request,
                        ItemContext& context) {
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) throw Error(ErrorKind::internal, "libwebp's version");
  config.options.use_scaling = scaled ? 1 : 0;
  config.options.scaled_width = pixels.cols;
  config.options.scaled_height = pixels.rows;
  config.output.colorspace = pixels.channels() == 4 ? MODE_BGRA : MODE_BGR;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = pixels.data;
  config.output.u.RGBA.stride = static_cast<int>(pixels.step);
  config.output.u.RGBA.size = pixels.step * static_cast<std::size_t>(pixels.rows);

  const std::unique_ptr<WebPIDecoder, decltype(&WebPIDelete)> decoder(
      WebPIDecode(nullptr, 0, &config), &WebPIDelete);
  if (!decoder) throw Error(ErrorKind::resource, "there is no memory to decode it");
  const auto pieces = static_cast<std::size_t>(frame_.place.height / rows_between_checks + 1);
  const std::size_t piece = std::max<std::size_t>(frame_.data.size() / pieces, 4096);
  auto status = VP8_STATUS_SUSPENDED;
  for (std::size_t given = 0; status == VP8_STATUS_SUSPENDED && given < frame_.data.size();) {
    context.check();
    given = std::min(given + piece, frame_.data.size());
    status = WebPIUpdate(decoder.get(), octets(frame_.data), given);
  }
  if (status == VP8_STATUS_OK) return;
  if (status == VP8_STATUS_OUT_OF_MEMORY)
    throw Error(ErrorKind::resource, "there is no memory to decode it");
  int last = 0;
  WebPIDecGetRGB(decoder.get(), &last, nullptr, nullptr, nullptr);
  last = std::clamp(last, 0, pixels.rows);
  pixels.rowRange(last, pixels.rows).setTo(0);
  const int row = static_cast<int>(std::int64_t{last} * frame_.place.height / pixels.rows);
  const int rows = frame_.place.height;
  const std::string what =
      status == VP8_STATUS_SUSPENDED
          ? truncated_after(row, rows)
          : "corrupt after row " + std::to_string(row) + " of " + std::to_string(rows);
  tell_unfinished({ErrorKind::input, what}, request, context);
}

// The library scales by any factor; that costs less than it saves only where few pixels are left.
cv::Size scaled_size(cv::Size full, cv::Size at_least) {
  if (at_least.empty()) return full;
  const double scale = std::max(static_cast<double>(at_least.width) / full.width,
                                static_cast<double>(at_least.height) / full.height);
  if (scale > 0.5) return full;
  const auto side = [scale](int length) {
    return std::min(length, static_cast<int>(std::ceil(length * scale - 1e-9)));
  };
  return {side(full.width), side(full.height)};
}

// The library scales colours without their alpha: what is transparent would show at the edges.
cv::Size WebpReader::decoded_size(const DecodeRequest& request) const {
  const bool may_scale = frame_.place.size() == header_.size && header_.channels == 3;
  return may_scale ? scaled_size(header_.size, request.at_least) : header_.size;
}

// A lossless picture is unpacked whole, as 32 bits a pixel, and so is a lossy one's alpha, as 8
// bits once or twice.
Need WebpReader::need(int, const DecodeRequest& request) {
  const cv::Size full = frame_.place.size();
  Need need{bytes_of(decoded_size(request), header_.channels, 8), bytes_of({full.width, 64}, 4, 8)};
  if (frame_.lossless)
    need.beside += bytes_of(full, 4, 8);
  else if (frame_.alpha)
    need.beside += bytes_of(full, 2, 8);
  return need;
}

Image WebpReader::read(int, const DecodeRequest& request, ItemContext& context) {
  const bool whole = frame_.place.size() == header_.size;
  const cv::Size size = decoded_size(request);
  const bool scaled = size != header_.size;
  Image image;
  image.pixels = new_pixels(size, header_.channels, 8);
  if (!whole) image.pixels.setTo(0);  // around the frame it is transparent
  decode(whole ? image.pixels : image.pixels(frame_.place), scaled, request, context);
  if (frame_.frames > 1)
    context.warn("it is an animation; " + std::to_string(frame_.frames - 1) +
                 " frames are dropped");
  if (const auto complaint = complain_of_orientation(orientation_tag_)) context.warn(*complaint);
  if (const Content icc = chunk("ICCP"); !icc.empty())
    image.icc_profile = fitting_profile(
        std::make_shared<const std::vector<std::byte>>(icc.begin(), icc.end()), 3, context);
  image.format = webp_codec.name;
  return image;
}

/// The encoder's picture and output.
struct Encoding {
  WebPPicture picture;
  WebPMemoryWriter writer;

  Encoding() {
    if (WebPPictureInit(&picture) == 0) throw Error(ErrorKind::internal, "libwebp's version");
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
  }
  ~Encoding() {
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&writer);
  }
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;
};

// As BGR or BGRA of 8 bits, which is all that the library takes.
cv::Mat as_colour(const cv::Mat& pixels) {
  if (pixels.depth() == CV_8U && pixels.channels() != 1) return pixels;
  EightBitRows source(pixels, true, {});
  cv::Mat colour = new_pixels(pixels.size(), source.channels() == 4 ? 4 : 3, 8);
  for (int y = 0; y < pixels.rows; ++y) {
    const auto* from = source.row(y);
    auto* to = colour.ptr<std::uint8_t>(y);
    if (source.channels() != 1) {
      std::copy_n(from, pixels.cols * source.channels(), to);
      continue;
    }
    for (int x = 0; x < pixels.cols; ++x, to += 3) std::fill_n(to, 3, from[x]);
  }
  return colour;
}

// The picture's chunk wrapped with what else it has; ICC and EXIF need the extended file format.
std::vector<std::byte> with_chunks(const WebPData& picture, Content icc, Content exif) {
  const std::unique_ptr<WebPMux, decltype(&WebPMuxDelete)> mux(WebPMuxNew(), &WebPMuxDelete);
  const auto add = [&mux](const char* name, Content bytes) {
    const WebPData data{octets(bytes), bytes.size()};
    return bytes.empty() || WebPMuxSetChunk(mux.get(), name, &data, 0) == WEBP_MUX_OK;
  };
  WebPData file{};
  const bool made = mux && WebPMuxSetImage(mux.get(), &picture, 0) == WEBP_MUX_OK &&
                    add("ICCP", icc) && add("EXIF", exif) &&
                    WebPMuxAssemble(mux.get(), &file) == WEBP_MUX_OK;
  const std::unique_ptr<WebPData, decltype(&WebPDataClear)> owner(&file, &WebPDataClear);
  if (!made) throw Error(ErrorKind::internal, "WebP encoder: the chunks cannot be put together");
  const Content bytes = content(file);
  return {bytes.begin(), bytes.end()};
}

void compress(Encoding& encoding, const cv::Mat& pixels, const EncodeOptions& options,
              ItemContext& context) {
  WebPConfig config;
  if (WebPConfigInit(&config) == 0) throw Error(ErrorKind::internal, "libwebp's version");
  config.quality = static_cast<float>(options.quality.value_or(default_quality));
  if (options.lossless) {
    WebPConfigLosslessPreset(&config, 6);
    config.exact = 1;  // keep the colour under transparent pixels
  }
  WebPPicture& picture = encoding.picture;
  picture.use_argb = options.lossless ? 1 : 0;
  picture.width = pixels.cols;
  picture.height = pixels.rows;
  picture.user_data = &context;
  picture.progress_hook = [](int, const WebPPicture* in) {
    return static_cast<const ItemContext*>(in->user_data)->done() ? 0 : 1;
  };
  const auto import = pixels.channels() == 4 ? WebPPictureImportBGRA : WebPPictureImportBGR;
  if (import(&picture, pixels.data, static_cast<int>(pixels.step)) == 0)
    throw Error(ErrorKind::resource, "there is no memory to encode it");
  if (WebPEncode(&config, &picture) != 0) return;
  context.check();
  const bool memory = picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
                      picture.error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY;
  throw Error(memory ? ErrorKind::resource : ErrorKind::internal,
              "WebP encoder: error " + std::to_string(picture.error_code));
}

std::vector<std::byte> encode_webp(const Image& image, const EncodeOptions& options,
                                   ItemContext& context) {
  const Profile profile = fitting_profile(image.icc_profile, 3, context);
  context.check();
  Encoding encoding;
  compress(encoding, as_colour(image.pixels), options, context);
  const WebPData picture{encoding.writer.mem, encoding.writer.size};
  std::vector<std::byte> exif;
  if (image.orientation != Orientation::upright || image.resolution)
    exif = make_exif(image.orientation, image.resolution);
  if (exif.empty() && !profile) return {content(picture).begin(), content(picture).end()};
  return with_chunks(picture, profile ? Content(*profile) : Content(), exif);
}

bool is_webp(Content file) noexcept {
  const std::string_view start(reinterpret_cast<const char*>(file.data()),
                               std::min<std::size_t>(file.size(), 12));
  return start.starts_with("RIFF") && start.ends_with("WEBP") && start.size() == 12;
}

std::unique_ptr<Reader> open_webp(Content file) { return std::make_unique<WebpReader>(file); }

std::string library() {
  const int version = WebPGetDecoderVersion();  // 0x010204 is 1.2.4
  return "libwebp " + std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 255) +
         "." + std::to_string(version & 255);
}

}  // namespace

const Codec webp_codec = {"webp",      {"webp", ""}, WEBP_MAX_DIMENSION, is_webp, open_webp,
                          encode_webp, library};

}  // namespace millrace::codecs
