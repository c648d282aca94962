// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/tiff.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>

#include "stages/codecs/icc.hpp"
#include "stages/codecs/rows.hpp"

namespace millrace::codecs {

namespace {

/// Of pixels, where the 32-bit offsets of the classic format no longer reach.
constexpr std::size_t big_tiff_from = std::size_t{3} << 30;
constexpr std::size_t strip_size = 256 * 1024;

std::string message(const char* format, va_list values) {
  char text[1024];
  std::vsnprintf(text, sizeof text, format, values);
  return text;
}

/// Grows a vector; libtiff seeks back to fill in offsets.
struct VectorStream {
  std::vector<std::byte> bytes;
  std::uint64_t at = 0;

  static VectorStream& of(thandle_t handle) { return *static_cast<VectorStream*>(handle); }

  static tmsize_t read(thandle_t handle, void* to, tmsize_t count) {
    auto& self = of(handle);
    const auto n = std::min<std::uint64_t>(
        static_cast<std::uint64_t>(count),
        self.bytes.size() - std::min<std::uint64_t>(self.at, self.bytes.size()));
    if (n > 0) std::memcpy(to, self.bytes.data() + self.at, n);
    self.at += n;
    return static_cast<tmsize_t>(n);
  }
  static tmsize_t write(thandle_t handle, void* from, tmsize_t count) {
    auto& self = of(handle);
    const auto end = self.at + static_cast<std::uint64_t>(count);
    try {
      if (end > self.bytes.size()) self.bytes.resize(end);
    } catch (...) {
      return -1;
    }
    std::memcpy(self.bytes.data() + self.at, from, static_cast<std::size_t>(count));
    self.at = end;
    return count;
  }
  static toff_t seek(thandle_t handle, toff_t offset, int from) {
    auto& self = of(handle);
    if (from == SEEK_CUR) offset += self.at;
    if (from == SEEK_END) offset += self.bytes.size();
    return self.at = offset;
  }
};

constexpr TiffStream writing = {
    VectorStream::read, VectorStream::write, VectorStream::seek,
    [](thandle_t handle) -> toff_t { return VectorStream::of(handle).bytes.size(); }};

class TiffWriter {
 public:
  TiffWriter(const Image& image, const EncodeOptions& options);

  std::vector<std::byte> write(ItemContext& context);

 private:
  template <class T>
  void set(std::uint32_t tag, T value) {
    if (TIFFSetField(tiff_.get(), tag, value) == 0) fail();
  }
  [[noreturn]] void fail() const {
    throw Error(ErrorKind::internal, "TIFF encoder: " + errors_.text);
  }
  void set_compression();
  void set_fields(const Profile& profile);
  void fill_row(int y);

  const Image& image_;
  const EncodeOptions& options_;
  bool bilevel_;
  VectorStream stream_;
  TiffErrors errors_;
  std::vector<std::uint8_t> row_;
  Tiff tiff_;  // closed first
};

TiffWriter::TiffWriter(const Image& image, const EncodeOptions& options)
    : image_(image), options_(options), bilevel_(is_bilevel(image.pixels)) {
  const cv::Mat& pixels = image.pixels;
  const bool big = pixels.total() * pixels.elemSize() >= big_tiff_from;
  tiff_ = open_tiff(big ? "w8" : "w", &stream_, writing, errors_, 0);
  if (!tiff_) fail();
}

void TiffWriter::set_compression() {
  using enum TiffCompression;
  TiffCompression choice = options_.tiff_compression;
  if (choice == automatic) choice = bilevel_ ? ccitt_g4 : lzw;
  if (choice == ccitt_g4 && !bilevel_)
    throw Error(ErrorKind::input,
                "tiff_compression ccitt_g4 is for pictures of black and white alone; binarize it");
  constexpr int codes[] = {0,
                           COMPRESSION_NONE,
                           COMPRESSION_LZW,
                           COMPRESSION_ADOBE_DEFLATE,
                           COMPRESSION_PACKBITS,
                           COMPRESSION_CCITTFAX4};
  set(TIFFTAG_COMPRESSION, codes[static_cast<int>(choice)]);
  if (!bilevel_ && (choice == lzw || choice == deflate))
    set(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
}

void TiffWriter::set_fields(const Profile& profile) {
  const cv::Mat& pixels = image_.pixels;
  const int channels = pixels.channels();
  set(TIFFTAG_IMAGEWIDTH, pixels.cols);
  set(TIFFTAG_IMAGELENGTH, pixels.rows);
  set(TIFFTAG_BITSPERSAMPLE, bilevel_ ? 1 : pixels.depth() == CV_16U ? 16 : 8);
  set(TIFFTAG_SAMPLESPERPIXEL, channels);
  set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  // Fax coding takes white for 0; its readers expect to be told so.
  set(TIFFTAG_PHOTOMETRIC, bilevel_        ? PHOTOMETRIC_MINISWHITE
                           : channels == 1 ? PHOTOMETRIC_MINISBLACK
                                           : PHOTOMETRIC_RGB);
  if (channels == 4) {
    const std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
    if (TIFFSetField(tiff_.get(), TIFFTAG_EXTRASAMPLES, 1, &kind) == 0) fail();
  }
  set(TIFFTAG_ORIENTATION, static_cast<int>(image_.orientation));
  set_compression();
  const auto row_size = bilevel_ ? (static_cast<std::size_t>(pixels.cols) + 7) / 8
                                 : static_cast<std::size_t>(pixels.cols) * pixels.elemSize();
  row_.resize(row_size);
  set(TIFFTAG_ROWSPERSTRIP,
      static_cast<int>(std::clamp<std::size_t>(strip_size / row_size, 1, 1 << 16)));
  if (image_.resolution) {
    set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    set(TIFFTAG_XRESOLUTION, image_.resolution->x);
    set(TIFFTAG_YRESOLUTION, image_.resolution->y);
  }
  if (profile && TIFFSetField(tiff_.get(), TIFFTAG_ICCPROFILE,
                              static_cast<std::uint32_t>(profile->size()), profile->data()) == 0)
    fail();
}

template <class T>
void reverse_colours(const T* from, int count, int channels, T* to) {
  for (int x = 0; x < count; ++x, from += channels, to += channels) {
    to[0] = from[2];
    to[1] = from[1];
    to[2] = from[0];
    if (channels == 4) to[3] = from[3];
  }
}

// Always a copy: the library changes what it is given (its predictor works in place).
void TiffWriter::fill_row(int y) {
  const cv::Mat& pixels = image_.pixels;
  const auto* from = pixels.ptr<std::uint8_t>(y);
  if (bilevel_)
    pack_bits(from, pixels.cols, 0, row_.data());
  else if (pixels.channels() == 1)
    std::memcpy(row_.data(), from, row_.size());
  else if (pixels.depth() == CV_8U)
    reverse_colours(from, pixels.cols, pixels.channels(), row_.data());
  else
    reverse_colours(pixels.ptr<std::uint16_t>(y), pixels.cols, pixels.channels(),
                    reinterpret_cast<std::uint16_t*>(row_.data()));
}

std::vector<std::byte> TiffWriter::write(ItemContext& context) {
  set_fields(fitting_profile(image_.icc_profile, image_.pixels.channels(), context));
  for (int y = 0; y < image_.pixels.rows; ++y) {
    if (y % rows_between_checks == 0) context.check();
    fill_row(y);
    if (TIFFWriteScanline(tiff_.get(), row_.data(), static_cast<std::uint32_t>(y), 0) < 0) fail();
  }
  if (TIFFFlush(tiff_.get()) == 0) fail();
  tiff_.reset();
  errors_.remarks.tell(context);
  return std::move(stream_.bytes);
}

std::vector<std::byte> encode_tiff(const Image& image, const EncodeOptions& options,
                                   ItemContext& context) {
  return TiffWriter(image, options).write(context);
}

// TIFF 6.0, section 2, and BigTIFF: the byte order, then 42 or 43 in it.
bool is_tiff(Content file) noexcept {
  using namespace std::string_view_literals;
  const std::string_view start(reinterpret_cast<const char*>(file.data()),
                               std::min<std::size_t>(file.size(), 4));
  return start == "II*\0"sv || start == "MM\0*"sv || start == "II+\0"sv || start == "MM\0+"sv;
}

std::string library() {
  const std::string_view text = TIFFGetVersion();  // "LIBTIFF, Version 4.5.0" and a copyright
  const auto number = text.substr(std::min(text.find_first_of("0123456789"), text.size()));
  return "libtiff " + std::string(number.substr(0, number.find('\n')));
}

}  // namespace

int TiffErrors::on_error(TIFF*, void* self, const char* module, const char* format,
                         va_list values) {
  auto& errors = *static_cast<TiffErrors*>(self);
  errors.text = message(format, values);
  if (module != nullptr && *module != '\0') errors.text += std::string(" (") + module + ")";
  return 1;  // handled: not for the global handler
}

int TiffErrors::on_warning(TIFF*, void* self, const char*, const char* format, va_list values) {
  const std::string text = message(format, values);
  // Private fields are everywhere and no reason to worry anyone.
  if (!text.starts_with("Unknown field with tag"))
    static_cast<TiffErrors*>(self)->remarks.add(text.c_str());
  return 1;
}

Tiff open_tiff(const char* mode, void* file, const TiffStream& stream, TiffErrors& errors,
               std::int64_t max_memory) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(
      TIFFOpenOptionsAlloc(), &TIFFOpenOptionsFree);
  if (!options) throw Error(ErrorKind::resource, "there is no memory to open it");
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), TiffErrors::on_error, &errors);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), TiffErrors::on_warning, &errors);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), max_memory);
  const auto close = [](thandle_t) { return 0; };
  const auto unmap = [](thandle_t, void*, toff_t) {};
  return Tiff(TIFFClientOpenExt("", mode, file, stream.read, stream.write, stream.seek, close,
                                stream.size, stream.map, unmap, options.get()));
}

const Codec tiff_codec = {"tiff",  {"tif", "tiff"},  std::numeric_limits<int>::max(),
                          is_tiff, open_tiff_reader, encode_tiff,
                          library};

}  // namespace millrace::codecs
