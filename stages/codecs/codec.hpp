// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/image.hpp"
#include "millrace/option.hpp"
#include "millrace/stage.hpp"

/// Picture files over the formats' reference libraries. Content decides the format, never a name.
/// Every message of a library ends in an Error or a warning; none is printed.
namespace millrace::codecs {

/// An encoded file.
using Content = std::span<const std::byte>;

/// What a file says about one of its pages, known before any pixel is decoded.
struct Header {
  cv::Size size;     ///< As stored, not turned upright.
  int channels = 3;  ///< Of the decoded picture: 1, 3 or 4.
  int bits = 8;      ///< Per sample of the decoded picture: 8 or 16.
  Orientation orientation = Orientation::upright;
  std::optional<Resolution> resolution;
};

/// What becomes of a picture whose data end or break before its last row.
enum class Truncated { fail, warn };

struct DecodeRequest {
  /// In stored axes. A codec that shrinks while it decodes may give any size from this one to the
  /// full one, with both axes shrunk alike; empty: the full size.
  cv::Size at_least;
  /// Colour is not looked at: a codec that finds luminance cheaper gives gray.
  bool gray = false;
  /// Width x height from the header. The default keeps a colour picture under 1.5 GB (8-bit).
  std::int64_t max_pixels = 500'000'000;
  Truncated truncated = Truncated::fail;
};

/// What decoding a page takes, in bytes, the file's content not counted. An estimate.
struct Need {
  std::uint64_t pixels = 0;  ///< Of the picture that comes out.
  std::uint64_t beside = 0;  ///< At most, until it has come out.
};

inline std::uint64_t bytes_of(cv::Size size, int channels, int bits) {
  return static_cast<std::uint64_t>(size.width) * static_cast<std::uint64_t>(size.height) *
         static_cast<std::uint64_t>(channels * (bits / 8));
}

/// An opened file. Refers to its content, which must live as long. [one thread]
class Reader {
 public:
  virtual ~Reader() = default;

  virtual int pages() const { return 1; }
  /// `page` counts from 1. Throws Error (input) where the page's header cannot be read.
  virtual Header header(int page) = 0;
  /// From the header alone: the content may be no more of the file than that (read_head()).
  virtual Need need(int page, const DecodeRequest& request) = 0;
  /// Throws Error: input (corrupt, truncated, unsupported, above a limit), resource, cancelled. The
  /// limit is checked before memory is taken; the context at least every 64 rows.
  Image decode(int page, const DecodeRequest& request, ItemContext& context);

 protected:
  /// Pixels and profile; the rest is filled in from the header.
  virtual Image read(int page, const DecodeRequest& request, ItemContext& context) = 0;
};

enum class Chroma { automatic, quarter, full };
enum class TiffCompression { automatic, none, lzw, deflate, packbits, ccitt_g4 };

struct EncodeOptions {
  std::optional<int> quality;         ///< 1..100; JPEG (85 unless set), WebP (80 unless set).
  bool lossless = false;              ///< WebP.
  Chroma chroma = Chroma::automatic;  ///< JPEG; automatic is a quarter of the samples (4:2:0).
  bool progressive = false;           ///< JPEG.
  bool optimize = false;              ///< JPEG: Huffman tables of its own for each picture.
  int png_level = 6;                  ///< 0..9
  TiffCompression tiff_compression = TiffCompression::automatic;
  Colour background;  ///< Behind transparent pixels, where a format has no alpha.
};

/// A file format. All members are set.
struct Codec {
  std::string_view name;  ///< As in Image::format.
  std::array<std::string_view, 2>
      extensions;  ///< The first is the one written; the rest may be "".
  int max_side;    ///< Of a picture that is written, in pixels.
  bool (*recognises)(Content) noexcept;
  std::unique_ptr<Reader> (*open)(Content);
  /// Keeps pixels, ICC profile, resolution and orientation (an EXIF block of these two alone where
  /// the format has no field for them). Other metadata (EXIF, XMP, IPTC) is not carried. An ICC
  /// profile that does not describe the written samples is dropped with a warning.
  std::vector<std::byte> (*encode)(const Image&, const EncodeOptions&, ItemContext&);
  std::string (*library)();  ///< With its version: "libpng 1.6.39".
};

extern const Codec jpeg_codec;
extern const Codec png_codec;
extern const Codec webp_codec;
extern const Codec tiff_codec;

/// Every codec.
std::span<const Codec* const> all() noexcept;
/// By Codec::name; null where there is none.
const Codec* find(std::string_view name) noexcept;
/// By a file name's extension in any case, without the dot; null where there is none.
const Codec* find_by_extension(std::string_view extension) noexcept;

/// Whether it is of a format of these, whatever its state.
bool recognised(Content file) noexcept;

struct Opened {
  const Codec* codec;
  std::unique_ptr<Reader> reader;
};
/// Finds the format by content. Throws Error (input) for what is no picture, saying what it looks
/// like.
Opened open(Content file);

/// Encodes, after checking the format's largest size. Throws Error (input) above it.
std::vector<std::byte> encode(const Codec& codec, const Image& image, const EncodeOptions& options,
                              ItemContext& context);

}  // namespace millrace::codecs
