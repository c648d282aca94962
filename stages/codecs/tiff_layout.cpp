// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/tiff_layout.hpp"

#include <algorithm>

#include "stages/codecs/exif.hpp"

namespace millrace::codecs {

namespace {

template <class T>
T field(TIFF* tiff, std::uint32_t tag, T otherwise) {
  T value{};
  return TIFFGetFieldDefaulted(tiff, tag, &value) != 0 ? value : otherwise;
}

/// Which of the samples beyond the colour's is alpha.
void read_extra_samples(TIFF* tiff, int colour_samples, TiffSamples& samples) {
  std::uint16_t count = 0, *kinds = nullptr;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
  if (samples.colour == TiffColour::palette || samples.colour == TiffColour::cmyk) return;
  for (int i = 0; i < count && colour_samples + i < samples.per_pixel; ++i) {
    if (kinds[i] != EXTRASAMPLE_ASSOCALPHA && kinds[i] != EXTRASAMPLE_UNASSALPHA) continue;
    samples.alpha =
        kinds[i] == EXTRASAMPLE_ASSOCALPHA ? TiffAlpha::associated : TiffAlpha::unassociated;
    samples.alpha_index = colour_samples + i;
    return;
  }
}

void read_samples(TIFF* tiff, TiffLayout& layout) {
  auto& samples = layout.samples;
  samples.per_pixel = field<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  samples.bits = field<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  const auto format = field<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  const auto compression = field<std::uint16_t>(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  std::uint16_t photometric = PHOTOMETRIC_MINISWHITE;  // what fax files without the tag are
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  if (photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    photometric = PHOTOMETRIC_RGB;
  }
  int colours = 1;
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
      samples.colour = TiffColour::inverted_gray;
      break;
    case PHOTOMETRIC_MINISBLACK:
      samples.colour = TiffColour::gray;
      break;
    case PHOTOMETRIC_PALETTE:
      samples.colour = TiffColour::palette;
      break;
    case PHOTOMETRIC_RGB:
      samples.colour = TiffColour::rgb;
      colours = 3;
      break;
    case PHOTOMETRIC_SEPARATED:
      samples.colour = TiffColour::cmyk;
      colours = 4;
      break;
    default:
      layout.by_library = true;
      break;
  }
  if (format == SAMPLEFORMAT_IEEEFP)
    throw Error(ErrorKind::input, "unsupported: floating-point samples");
  if (layout.by_library) {
    char why[1024] = "";
    if (TIFFRGBAImageOK(tiff, why) == 0)
      throw Error(ErrorKind::input, std::string("unsupported: ") + why);
    return;
  }
  if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID)
    throw Error(ErrorKind::input, "unsupported: signed samples");
  if (samples.bits < 1 || samples.bits > 16 ||
      (samples.colour == TiffColour::palette && samples.bits > 8))
    throw Error(ErrorKind::input,
                "unsupported: " + std::to_string(samples.bits) + " bits per sample");
  if (samples.per_pixel < colours)
    throw Error(ErrorKind::input, "corrupt: " + std::to_string(samples.per_pixel) +
                                      " samples per pixel where the colour needs " +
                                      std::to_string(colours));
  read_extra_samples(tiff, colours, samples);
}

}  // namespace

TiffLayout read_tiff_layout(TIFF* tiff) {
  TiffLayout layout;
  Header& header = layout.header;
  constexpr std::uint32_t most = 0x7FFFFFFF;
  const auto width = field<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
  const auto height = field<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
  if (width == 0 || height == 0 || width > most || height > most)
    throw Error(ErrorKind::input, "corrupt: has " + std::to_string(width) + " x " +
                                      std::to_string(height) + " pixels");
  header.size = cv::Size(static_cast<int>(width), static_cast<int>(height));
  layout.orientation = field<std::uint16_t>(tiff, TIFFTAG_ORIENTATION, 1);
  header.orientation = orientation_of(layout.orientation);
  const double unit = field<std::uint16_t>(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
  const double scale = unit == RESUNIT_INCH ? 1 : unit == RESUNIT_CENTIMETER ? 2.54 : 0;
  header.resolution = resolution_of(field<float>(tiff, TIFFTAG_XRESOLUTION, 0) * scale,
                                    field<float>(tiff, TIFFTAG_YRESOLUTION, 0) * scale);
  read_samples(tiff, layout);
  header.channels = layout.by_library ? 4 : layout.samples.picture_channels();
  header.bits = layout.by_library ? 8 : layout.samples.picture_bits();

  layout.planes = field<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG, 1) == PLANARCONFIG_SEPARATE &&
                  layout.samples.per_pixel > 1;
  layout.tiled = TIFFIsTiled(tiff) != 0;
  const auto block_width = layout.tiled ? field<std::uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0) : width;
  const auto rows = layout.tiled ? field<std::uint32_t>(tiff, TIFFTAG_TILELENGTH, 0)
                                 : field<std::uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP, height);
  if (block_width == 0 || rows == 0 || block_width > most)
    throw Error(ErrorKind::input, "corrupt: its tiles or strips have no size");
  layout.block_width = static_cast<int>(block_width);
  layout.block_height =
      static_cast<int>(layout.tiled ? std::min(rows, most) : std::min(rows, height));
  return layout;
}

}  // namespace millrace::codecs
