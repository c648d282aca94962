// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/catalogue.hpp"
#include "millrace/turn.hpp"
#include "stages/codecs/codec.hpp"
#include "stages/codecs/foreign.hpp"
#include "stages/codecs/icc.hpp"

namespace millrace {

namespace {

using codecs::Chroma;
using codecs::Codec;
using codecs::TiffCompression;

std::string written_extensions() {
  std::string list;
  for (const Codec* codec : codecs::all())
    for (const auto extension : codec->extensions)
      if (!extension.empty()) list += (list.empty() ? "." : ", .") + std::string(extension);
  return list;
}

/// Writes pictures as files. Pixels, ICC profile, resolution and orientation are kept; other
/// metadata (EXIF, XMP, IPTC) is not carried in this version.
struct Encode final : Transform<Image, Bytes> {
  const Codec* format = nullptr;  // null: auto
  codecs::EncodeOptions settings;
  bool strip = false;

  void options(Options& o) override;
  std::vector<std::string> check() const override;
  std::vector<std::string> accept(const Demand& demand) override;
  Bytes run(ItemContext& context, Image image) const override;

 private:
  const Codec* by_extension_ = nullptr;  // null: the sink does not say
};

void Encode::options(Options& o) {
  std::vector<Choice<const Codec*>> formats = {
      {"auto", nullptr, "By the extension of the file that is written, or as it was read."}};
  for (const Codec* codec : codecs::all())
    formats.push_back({std::string(codec->name), codec, "Always this one."});
  o.add("format", format, std::move(formats), "The file format.").example("webp");
  o.add("quality", settings.quality, "JPEG (85 unless set) and WebP (80 unless set).")
      .range(1, 100);
  o.add("lossless", settings.lossless, "Write WebP without loss.");
  o.add("chroma", settings.chroma,
        {{"auto", Chroma::automatic, "4:2:0."},
         {"4:2:0", Chroma::quarter, "Half the colour resolution both ways; smaller."},
         {"4:4:4", Chroma::full, "All of it; for coloured text and drawings."}},
        "Colour resolution of a JPEG.");
  o.add("progressive", settings.progressive, "Write JPEG in scans that sharpen while it loads.");
  o.add("optimize", settings.optimize, "Compute Huffman tables for each JPEG: smaller, slower.");
  o.add("png_level", settings.png_level, "Effort of PNG compression.").range(0, 9);
  o.add("tiff_compression", settings.tiff_compression,
        {{"auto", TiffCompression::automatic, "CCITT G4 for black and white, LZW for others."},
         {"none", TiffCompression::none, "Fastest to write and to read."},
         {"lzw", TiffCompression::lzw, "With a predictor."},
         {"deflate", TiffCompression::deflate, "With a predictor; a little smaller, much slower."},
         {"packbits", TiffCompression::packbits, "Simple runs."},
         {"ccitt_g4", TiffCompression::ccitt_g4, "For black and white alone."}},
        "How TIFF files are compressed; all ways are lossless.");
  o.add("background", settings.background,
        "What is seen behind transparent pixels in a format without transparency (JPEG).");
  o.add("strip", strip,
        "Write the picture alone: turned upright, its colours brought to sRGB; no profile, no "
        "orientation, no resolution.");
}

std::vector<std::string> Encode::check() const {
  std::vector<std::string> complaints;
  if (format == nullptr) return complaints;
  const auto is_for = [&](bool set, const char* option, std::initializer_list<const Codec*> fit) {
    if (!set || std::ranges::find(fit, format) != fit.end()) return;
    complaints.push_back(std::string(option) + ": has no meaning for format " +
                         std::string(format->name));
  };
  is_for(settings.quality.has_value(), "quality", {&codecs::jpeg_codec, &codecs::webp_codec});
  is_for(settings.lossless, "lossless", {&codecs::webp_codec});
  is_for(settings.chroma != Chroma::automatic, "chroma", {&codecs::jpeg_codec});
  is_for(settings.progressive, "progressive", {&codecs::jpeg_codec});
  is_for(settings.optimize, "optimize", {&codecs::jpeg_codec});
  is_for(settings.tiff_compression != TiffCompression::automatic, "tiff_compression",
         {&codecs::tiff_codec});
  return complaints;
}

std::vector<std::string> Encode::accept(const Demand& demand) {
  by_extension_ = codecs::find_by_extension(demand.extension);
  const std::string dotted = "'." + demand.extension + "'";
  if (format == nullptr && by_extension_ == nullptr && !demand.extension.empty())
    return {"the file name's extension " + dotted + " names no format that is written (" +
            written_extensions() + "); set format"};
  const bool other = by_extension_ != nullptr ? by_extension_ != format
                                              : codecs::is_foreign_extension(demand.extension);
  if (format != nullptr && other)
    return {"format: " + std::string(format->name) + " contradicts the file name's extension " +
            dotted};
  return {};
}

Bytes Encode::run(ItemContext& context, Image image) const {
  const Codec* codec = format != nullptr ? format : by_extension_;
  if (codec == nullptr) codec = codecs::find(image.format);
  if (codec == nullptr) codec = &codecs::png_codec;  // made by a stage, not read: keep every pixel
  if (strip) {
    turn_upright(context, image);
    codecs::make_srgb(image, context);
    image.resolution.reset();
  }
  auto bytes = codecs::encode(*codec, image, settings, context);
  return {std::make_shared<const std::vector<std::byte>>(std::move(bytes)),
          std::string(codec->extensions[0])};
}

const Register<Encode> registered{"encode", "Write pictures as JPEG, PNG, WebP or TIFF files.",
                                  Role::converter};

}  // namespace

}  // namespace millrace
