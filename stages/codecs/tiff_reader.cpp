// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>

#include "stages/codecs/exif.hpp"
#include "stages/codecs/icc.hpp"
#include "stages/codecs/rows.hpp"
#include "stages/codecs/tiff.hpp"
#include "stages/codecs/tiff_layout.hpp"
#include "stages/codecs/tiff_pages.hpp"
#include "stages/codecs/tiff_rows.hpp"

namespace millrace::codecs {

namespace {

/// In bytes: whole strips up to this size are read at once.
constexpr std::size_t largest_strip = 4 << 20;

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

class TiffReader final : public Reader {
 public:
  explicit TiffReader(Content file);

  int pages() const override {
    return static_cast<int>(pages_.offsets.size()) + (pages_.broken.empty() ? 0 : 1);
  }
  Header header(int page) override;
  Need need(int page, const DecodeRequest& request) override;

 protected:
  Image read(int page, const DecodeRequest& request, ItemContext& context) override;

 private:
  void select(int page);
  bool reads_lines() const;
  std::size_t block_size() const;
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
  TiffLayout layout_;
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
  layout_ = read_tiff_layout(tiff_.get());
  current_ = page;
}

Header TiffReader::header(int page) {
  select(page);
  return layout_.header;
}

std::size_t TiffReader::block_size() const {
  TIFF* tiff = tiff_.get();
  return static_cast<std::size_t>(layout_.tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff));
}

bool TiffReader::reads_lines() const {
  return !layout_.tiled && !layout_.planes && block_size() > largest_strip;
}

Need TiffReader::need(int page, const DecodeRequest&) {
  select(page);
  const Header& header = layout_.header;
  Need need{bytes_of(header.size, header.channels, header.bits), 0};
  // The library's own conversion holds a block, or a row of tiles that it does one by one.
  const auto blocks =
      layout_.by_library ? 1 : std::uint64_t(layout_.across()) * layout_.plane_count();
  need.beside = reads_lines() && !layout_.by_library
                    ? static_cast<std::uint64_t>(TIFFScanlineSize(tiff_.get()))
                    : block_size() * blocks;
  return need;
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
  return {samples, layout_.header.size.width, std::move(colours), std::move(cmyk)};
}

// For strips that are too large to be held as a whole; returns how many rows were read.
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
  for (int plane = 0; plane < layout_.plane_count(); ++plane)
    for (int i = 0; i < layout_.across(); ++i, to += block_size) {
      const auto column = static_cast<std::uint32_t>(i * layout_.block_width);
      const auto row = static_cast<std::uint32_t>(y);
      const auto sample = static_cast<std::uint16_t>(plane);
      block_ = layout_.tiled ? TIFFComputeTile(tiff, column, row, 0, sample)
                             : TIFFComputeStrip(tiff, row, sample);
      const auto read = layout_.tiled ? TIFFReadEncodedTile(tiff, block_, to, size)
                                      : TIFFReadEncodedStrip(tiff, block_, to, size);
      if (read < 0) return false;
    }
  return true;
}

// Block by block, which lets the library check a block as a whole; returns how many rows were read.
int TiffReader::read_blocks(cv::Mat& pixels, TiffRows& rows, ItemContext& context) {
  TIFF* tiff = tiff_.get();
  const std::size_t block_size = this->block_size();
  const auto row_size =
      static_cast<std::size_t>(layout_.tiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff));
  if (row_size == 0 || block_size / row_size < static_cast<std::size_t>(layout_.block_height))
    return 0;
  std::vector<std::uint8_t> band(block_size * static_cast<std::size_t>(layout_.across()) *
                                 layout_.plane_count());
  for (int y = 0; y < pixels.rows; y += layout_.block_height) {
    context.check();
    if (!read_band(y, band, block_size)) return y;
    const int height = std::min(layout_.block_height, pixels.rows - y);
    for (int row = 0; row < height; ++row) {
      if (row % rows_between_checks == 0) context.check();
      const auto* block = band.data() + row_size * static_cast<std::size_t>(row);
      for (int plane = 0; plane < layout_.plane_count(); ++plane)
        for (int x = 0, i = 0; i < layout_.across();
             ++i, x += layout_.block_width, block += block_size)
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
  if (end > file_size || size > file_size - end)
    return truncated_after(row, layout_.header.size.height);
  return "corrupt after row " + std::to_string(row) + " of " +
         std::to_string(layout_.header.size.height) + ": " + errors_.text;
}

Image TiffReader::read(int page, const DecodeRequest& request, ItemContext& context) {
  select(page);
  Image image;
  image.icc_profile = profile();
  image.pixels = new_pixels(layout_.header.size, layout_.header.channels, layout_.header.bits);
  int done = 0;
  if (layout_.by_library) {
    done = read_rgba(image.pixels, context);
  } else {
    const Content icc = image.icc_profile ? Content(*image.icc_profile) : Content();
    TiffRows rows = row_converter(icc, context);
    done = reads_lines() ? read_lines(image.pixels, rows, context)
                         : read_blocks(image.pixels, rows, context);
  }
  if (done < image.pixels.rows) {
    image.pixels.rowRange(done, image.pixels.rows).setTo(0);
    tell_unfinished({ErrorKind::input, unfinished(done)}, request, context);
    errors_.remarks = {};
  }
  errors_.remarks.tell(context);
  if (const auto complaint = complain_of_orientation(layout_.orientation)) context.warn(*complaint);
  const bool converted = layout_.by_library || layout_.samples.colour == TiffColour::cmyk;
  if (converted)
    image.icc_profile.reset();
  else
    image.icc_profile = fitting_profile(image.icc_profile, layout_.header.channels, context);
  image.format = tiff_codec.name;
  return image;
}

}  // namespace

std::unique_ptr<Reader> open_tiff_reader(Content file) {
  return std::make_unique<TiffReader>(file);
}

}  // namespace millrace::codecs
