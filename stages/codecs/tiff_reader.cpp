// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <cstring>
#include <opencv2/imgproc.hpp>

#include "stages/codecs/exif.hpp"
#include "stages/codecs/icc.hpp"
#include "stages/codecs/rows.hpp"
#include "stages/codecs/tiff.hpp"
#include "stages/codecs/tiff_pages.hpp"
#include "stages/codecs/tiff_rows.hpp"

namespace millrace::codecs {

namespace {

/// The file in memory, for libtiff.
struct ContentStream {
  Content file;
  std::uint64_t at = 0;

  static ContentStream& of(thandle_t handle) { return *static_cast<ContentStream*>(handle); }

  static tmsize_t read(thandle_t handle, void* to, tmsize_t count) {
    auto& self = of(handle);
    if (self.at >= self.file.size()) return 0;
    const auto n =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(count), self.file.size() - self.at);
    std::memcpy(to, self.file.data() + self.at, n);
    self.at += n;
    return static_cast<tmsize_t>(n);
  }
  static toff_t seek(thandle_t handle, toff_t offset, int from) {
    auto& self = of(handle);
    if (from == SEEK_CUR) offset += self.at;
    if (from == SEEK_END) offset += self.file.size();
    return self.at = offset;
  }
  static int map(thandle_t handle, void** base, toff_t* size) {
    const auto& file = of(handle).file;
    *base = const_cast<std::byte*>(file.data());  // opened for reading only
    *size = file.size();
    return 1;
  }
};

constexpr TiffStream reading = {
    ContentStream::read, [](thandle_t, void*, tmsize_t) -> tmsize_t { return -1; },
    ContentStream::seek,
    [](thandle_t handle) -> toff_t { return ContentStream::of(handle).file.size(); },
    ContentStream::map};

/// How a page's samples lie in the file: blocks are strips or tiles.
struct Layout {
  TiffSamples samples;
  bool by_library = false;  // a colour space that libtiff converts, through its RGBA interface
  bool planes = false;      // each sample in blocks of its own
  bool tiled = false;
  int block_width = 0, block_height = 0;
  std::uint16_t orientation = ORIENTATION_TOPLEFT;  // as written
};

class TiffReader final : public Reader {
 public:
  explicit TiffReader(Content file);

  int pages() const override {
    return static_cast<int>(pages_.offsets.size()) + (pages_.broken.empty() ? 0 : 1);
  }
  Header header(int page) override;

 protected:
  Image read(int page, const DecodeRequest& request, ItemContext& context) override;

 private:
  template <class T>
  T field(std::uint32_t tag, T otherwise) const {
    T value{};
    return TIFFGetFieldDefaulted(tiff_.get(), tag, &value) != 0 ? value : otherwise;
  }
  void select(int page);
  void read_layout();
  void read_samples();
  void read_extra_samples(int colour_samples);
  TiffRows row_converter(Content profile, ItemContext& context);
  std::vector<std::array<std::uint8_t, 3>> palette() const;
  Profile profile() const;
  int read_lines(cv::Mat& pixels, TiffRows& rows, ItemContext& context);
  int read_blocks(cv::Mat& pixels, TiffRows& rows, ItemContext& context);
  bool read_band(int y, std::vector<std::uint8_t>& band, std::size_t block_size);
  int read_rgba(cv::Mat& pixels, ItemContext& context);
  std::string unfinished(int row) const;

  ContentStream stream_;
  TiffPages pages_;
  TiffErrors errors_;
  Tiff tiff_;
  int current_ = 0;          // page whose directory is read
  std::uint32_t block_ = 0;  // the strip or tile that is being read
  Layout layout_;
  Header header_;
};

TiffReader::TiffReader(Content file) : stream_{file}, pages_(find_tiff_pages(file)) {
  if (pages_.offsets.empty())
    throw Error(ErrorKind::input,
                pages_.broken.empty() ? "corrupt: a TIFF file without a page" : pages_.broken);
  // "h": the first directory is not read yet; it may be the broken one.
  tiff_ = open_tiff("rh", &stream_, reading, errors_, std::int64_t{4} << 30);
  if (!tiff_) throw Error(ErrorKind::input, "corrupt: " + errors_.text);
}

void TiffReader::select(int page) {
  if (current_ == page) return;
  current_ = 0;
  if (page > static_cast<int>(pages_.offsets.size())) throw Error(ErrorKind::input, pages_.broken);
  errors_.text.clear();
  if (TIFFSetSubDirectory(tiff_.get(), pages_.offsets[static_cast<std::size_t>(page) - 1]) == 0)
    throw Error(ErrorKind::input, "corrupt: " + errors_.text);
  read_layout();
  current_ = page;
}

void TiffReader::read_layout() {
  header_ = {};
  layout_ = {};
  const auto width = field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0);
  const auto height = field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0);
  constexpr std::uint32_t most = 0x7FFFFFFF;
  if (width == 0 || height == 0 || width > most || height > most)
    throw Error(ErrorKind::input, "corrupt: has " + std::to_string(width) + " x " +
                                      std::to_string(height) + " pixels");
  header_.size = cv::Size(static_cast<int>(width), static_cast<int>(height));
  layout_.orientation = field<std::uint16_t>(TIFFTAG_ORIENTATION, 1);
  header_.orientation = orientation_of(layout_.orientation);
  const double unit = field<std::uint16_t>(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
  const double scale = unit == RESUNIT_INCH ? 1 : unit == RESUNIT_CENTIMETER ? 2.54 : 0;
  header_.resolution = resolution_of(field<float>(TIFFTAG_XRESOLUTION, 0) * scale,
                                     field<float>(TIFFTAG_YRESOLUTION, 0) * scale);
  read_samples();
  header_.channels = layout_.by_library ? 4 : layout_.samples.picture_channels();
  header_.bits = layout_.by_library ? 8 : layout_.samples.picture_bits();

  layout_.planes = field<std::uint16_t>(TIFFTAG_PLANARCONFIG, 1) == PLANARCONFIG_SEPARATE &&
                   layout_.samples.per_pixel > 1;
  layout_.tiled = TIFFIsTiled(tiff_.get()) != 0;
  const auto block_width = layout_.tiled ? field<std::uint32_t>(TIFFTAG_TILEWIDTH, 0) : width;
  const auto rows = layout_.tiled ? field<std::uint32_t>(TIFFTAG_TILELENGTH, 0)
                                  : field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, height);
  if (block_width == 0 || rows == 0 || block_width > most)
    throw Error(ErrorKind::input, "corrupt: its tiles or strips have no size");
  layout_.block_width = static_cast<int>(block_width);
  layout_.block_height =
      static_cast<int>(layout_.tiled ? std::min(rows, most) : std::min(rows, height));
}

void TiffReader::read_samples() {
  auto& samples = layout_.samples;
  samples.per_pixel = field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1);
  samples.bits = field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1);
  const auto format = field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  const auto compression = field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  std::uint16_t photometric = PHOTOMETRIC_MINISWHITE;  // what fax files without the tag are
  TIFFGetField(tiff_.get(), TIFFTAG_PHOTOMETRIC, &photometric);
  if (photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG) {
    TIFFSetField(tiff_.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
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
      layout_.by_library = true;
      break;
  }
  if (format == SAMPLEFORMAT_IEEEFP)
    throw Error(ErrorKind::input, "unsupported: floating-point samples");
  if (layout_.by_library) {
    char why[1024] = "";
    if (TIFFRGBAImageOK(tiff_.get(), why) == 0)
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
  read_extra_samples(colours);
}

void TiffReader::read_extra_samples(int colour_samples) {
  std::uint16_t count = 0, *kinds = nullptr;
  TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds);
  auto& samples = layout_.samples;
  if (samples.colour == TiffColour::palette || samples.colour == TiffColour::cmyk) return;
  for (int i = 0; i < count && colour_samples + i < samples.per_pixel; ++i) {
    if (kinds[i] != EXTRASAMPLE_ASSOCALPHA && kinds[i] != EXTRASAMPLE_UNASSALPHA) continue;
    samples.alpha =
        kinds[i] == EXTRASAMPLE_ASSOCALPHA ? TiffAlpha::associated : TiffAlpha::unassociated;
    samples.alpha_index = colour_samples + i;
    return;
  }
}

Header TiffReader::header(int page) {
  select(page);
  return header_;
}

std::vector<std::array<std::uint8_t, 3>> TiffReader::palette() const {
  std::uint16_t* maps[3] = {};
  if (TIFFGetField(tiff_.get(), TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]) == 0)
    throw Error(ErrorKind::input, "corrupt: a palette picture without its palette");
  const auto size = std::size_t{1} << layout_.samples.bits;
  // Some writers leave the colours at 8 bits; then none is above 255.
  const bool narrow = std::ranges::all_of(maps, [size](const std::uint16_t* map) {
    return std::all_of(map, map + size, [](std::uint16_t value) { return value < 256; });
  });
  std::vector<std::array<std::uint8_t, 3>> colours(size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      colours[i][c] =
          static_cast<std::uint8_t>(narrow ? maps[c][i] : (maps[c][i] * 255u + 32767) / 65535);
  return colours;
}

Profile TiffReader::profile() const {
  std::uint32_t size = 0;
  const std::byte* data = nullptr;
  if (TIFFGetField(tiff_.get(), TIFFTAG_ICCPROFILE, &size, &data) == 0 || size == 0) return nullptr;
  return std::make_shared<const std::vector<std::byte>>(data, data + size);
}

TiffRows TiffReader::row_converter(Content icc, ItemContext& context) {
  const auto& samples = layout_.samples;
  std::vector<std::array<std::uint8_t, 3>> colours;
  if (samples.colour == TiffColour::palette) colours = palette();
  std::optional<CmykConverter> cmyk;
  if (samples.colour == TiffColour::cmyk) cmyk.emplace(icc, samples.picture_bits(), false, context);
  return {samples, header_.size.width, std::move(colours), std::move(cmyk)};
}

// Strips of whole pixels, line by line; returns how many rows were read.
int TiffReader::read_lines(cv::Mat& pixels, TiffRows& rows, ItemContext& context) {
  std::vector<std::uint8_t> line(static_cast<std::size_t>(TIFFScanlineSize(tiff_.get())));
  for (int y = 0; y < pixels.rows; ++y) {
    if (y % rows_between_checks == 0) context.check();
    block_ = static_cast<std::uint32_t>(y / layout_.block_height);
    if (TIFFReadScanline(tiff_.get(), line.data(), static_cast<std::uint32_t>(y), 0) < 0) return y;
    rows.put(line.data(), 0, pixels.cols, std::nullopt);
    rows.take(pixels.ptr(y));
  }
  return pixels.rows;
}

// One row of blocks, of every plane, in the order of read_blocks().
bool TiffReader::read_band(int y, std::vector<std::uint8_t>& band, std::size_t block_size) {
  TIFF* tiff = tiff_.get();
  auto* to = band.data();
  const auto size = static_cast<tmsize_t>(block_size);
  for (int plane = 0; plane < (layout_.planes ? layout_.samples.per_pixel : 1); ++plane)
    for (int x = 0; x < header_.size.width; x += layout_.block_width, to += block_size) {
      const auto column = static_cast<std::uint32_t>(x), row = static_cast<std::uint32_t>(y);
      const auto sample = static_cast<std::uint16_t>(plane);
      block_ = layout_.tiled ? TIFFComputeTile(tiff, column, row, 0, sample)
                             : TIFFComputeStrip(tiff, row, sample);
      const auto read = layout_.tiled ? TIFFReadEncodedTile(tiff, block_, to, size)
                                      : TIFFReadEncodedStrip(tiff, block_, to, size);
      if (read < 0) return false;
      if (layout_.block_width > header_.size.width - x) break;
    }
  return true;
}

// Tiles, and strips of single samples; returns how many rows were read.
int TiffReader::read_blocks(cv::Mat& pixels, TiffRows& rows, ItemContext& context) {
  TIFF* tiff = tiff_.get();
  const auto block_size =
      static_cast<std::size_t>(layout_.tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff));
  const auto row_size =
      static_cast<std::size_t>(layout_.tiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff));
  const int planes = layout_.planes ? layout_.samples.per_pixel : 1;
  const int across = (pixels.cols - 1) / layout_.block_width + 1;
  if (row_size == 0 || block_size / row_size < static_cast<std::size_t>(layout_.block_height))
    return 0;
  std::vector<std::uint8_t> band(block_size * static_cast<std::size_t>(across) * planes);
  for (int y = 0; y < pixels.rows; y += layout_.block_height) {
    context.check();
    if (!read_band(y, band, block_size)) return y;
    const int height = std::min(layout_.block_height, pixels.rows - y);
    for (int row = 0; row < height; ++row) {
      if (row % rows_between_checks == 0) context.check();
      const auto* block = band.data() + row_size * static_cast<std::size_t>(row);
      for (int plane = 0; plane < planes; ++plane)
        for (int x = 0, i = 0; i < across; ++i, x += layout_.block_width, block += block_size)
          rows.put(block, x, std::min(layout_.block_width, pixels.cols - x),
                   layout_.planes ? std::optional(plane) : std::nullopt);
      rows.take(pixels.ptr(y + row));
    }
    if (layout_.block_height > pixels.rows - y) break;
  }
  return pixels.rows;
}

// YCbCr, CIE L*a*b* and the like, by the library's own conversion to 8-bit RGBA.
int TiffReader::read_rgba(cv::Mat& pixels, ItemContext& context) {
  context.check();
  const auto width = static_cast<std::uint32_t>(pixels.cols);
  const auto height = static_cast<std::uint32_t>(pixels.rows);
  // Asked for as it is stored: the picture is not turned here.
  if (TIFFReadRGBAImageOriented(tiff_.get(), width, height, pixels.ptr<std::uint32_t>(),
                                layout_.orientation, 1) == 0)
    return 0;
  for (int y = 0; y < pixels.rows; ++y) {
    auto* row = pixels.ptr<std::uint8_t>(y);
    for (int x = 0; x < pixels.cols; ++x, row += 4) {
      std::uint32_t packed;
      std::memcpy(&packed, row, 4);
      row[0] = static_cast<std::uint8_t>(TIFFGetB(packed));
      row[1] = static_cast<std::uint8_t>(TIFFGetG(packed));
      row[2] = static_cast<std::uint8_t>(TIFFGetR(packed));
      row[3] = static_cast<std::uint8_t>(TIFFGetA(packed));
    }
  }
  return pixels.rows;
}

std::string TiffReader::unfinished(int row) const {
  const auto end = TIFFGetStrileOffset(tiff_.get(), block_);
  const auto size = TIFFGetStrileByteCount(tiff_.get(), block_);
  const auto file_size = stream_.file.size();
  if (end > file_size || size > file_size - end) return truncated_after(row, header_.size.height);
  return "corrupt after row " + std::to_string(row) + " of " + std::to_string(header_.size.height) +
         ": " + errors_.text;
}

Image TiffReader::read(int page, const DecodeRequest& request, ItemContext& context) {
  select(page);
  Image image;
  image.icc_profile = profile();
  image.pixels = new_pixels(header_.size, header_.channels, header_.bits);
  int done = 0;
  if (layout_.by_library) {
    done = read_rgba(image.pixels, context);
  } else {
    const Content icc = image.icc_profile ? Content(*image.icc_profile) : Content();
    TiffRows rows = row_converter(icc, context);
    const bool lines = !layout_.tiled && !layout_.planes;
    done =
        lines ? read_lines(image.pixels, rows, context) : read_blocks(image.pixels, rows, context);
  }
  if (done < image.pixels.rows) {
    image.pixels.rowRange(done, image.pixels.rows).setTo(0);
    tell_unfinished(unfinished(done), request, context);
  }
  errors_.remarks.tell(context);
  if (const auto complaint = complain_of_orientation(layout_.orientation)) context.warn(*complaint);
  const bool converted = layout_.by_library || layout_.samples.colour == TiffColour::cmyk;
  if (converted)
    image.icc_profile.reset();
  else
    image.icc_profile = fitting_profile(image.icc_profile, header_.channels, context);
  image.format = tiff_codec.name;
  return image;
}

}  // namespace

std::unique_ptr<Reader> open_tiff_reader(Content file) {
  return std::make_unique<TiffReader>(file);
}

}  // namespace millrace::codecs
