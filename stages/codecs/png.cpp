// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/png.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "stages/codecs/exif.hpp"
#include "stages/codecs/icc.hpp"
#include "stages/codecs/rows.hpp"

namespace millrace::codecs {

namespace {

class PngWriter {
 public:
  PngWriter() {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &errors_, PngErrors::on_error,
                                   PngErrors::on_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, &info_);
      throw Error(ErrorKind::resource, "there is no memory to encode it");
    }
    png_set_write_fn(png_, this, on_write, [](png_structp) {});
  }
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  std::vector<std::byte> write(const Image& image, const EncodeOptions& options,
                               ItemContext& context);

 private:
  template <class F>
  void run(F calls) {
    if (!errors_.escape.run(calls))
      throw Error(out_of_memory_ ? ErrorKind::resource : ErrorKind::internal,
                  "PNG encoder: " + errors_.text);
  }
  static void on_write(png_structp png, png_bytep from, std::size_t count);

  void write_header(const cv::Mat& pixels, bool bilevel, const EncodeOptions& options);
  void set_metadata(const Image& image);
  void write_profile(const std::vector<std::byte>& profile);

  PngErrors errors_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::vector<std::byte> bytes_;
  bool out_of_memory_ = false;
};

void PngWriter::on_write(png_structp png, png_bytep from, std::size_t count) {
  auto& self = *static_cast<PngWriter*>(png_get_io_ptr(png));
  try {
    const auto* bytes = reinterpret_cast<const std::byte*>(from);
    self.bytes_.insert(self.bytes_.end(), bytes, bytes + count);
  } catch (...) {
    self.out_of_memory_ = true;
  }
  if (self.out_of_memory_) png_error(png, "out of memory");
}

// The Up filter alone takes a third of the time of the library's choice for each row and costs 3%
// on photographs (measured at level 3); the highest levels are for those who have the time.
void PngWriter::write_header(const cv::Mat& pixels, bool bilevel, const EncodeOptions& options) {
  constexpr int colours[] = {0, PNG_COLOR_TYPE_GRAY, 0, PNG_COLOR_TYPE_RGB,
                             PNG_COLOR_TYPE_RGB_ALPHA};
  const int bits = bilevel ? 1 : pixels.depth() == CV_16U ? 16 : 8;
  png_set_user_limits(png_, 0x7FFFFFFF, 0x7FFFFFFF);
  png_set_IHDR(png_, info_, static_cast<png_uint_32>(pixels.cols),
               static_cast<png_uint_32>(pixels.rows), bits, colours[pixels.channels()],
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png_, options.png_level);
  png_set_filter(png_, 0,
                 bilevel                 ? PNG_FILTER_NONE
                 : options.png_level > 6 ? PNG_ALL_FILTERS
                                         : PNG_FILTER_UP);
}

void PngWriter::set_metadata(const Image& image) {
  if (image.resolution) {
    const auto dots = [](double value) {
      return static_cast<png_uint_32>(
          std::clamp(std::round(value / metres_per_inch), 1.0, 2147483647.0));
    };
    png_set_pHYs(png_, info_, dots(image.resolution->x), dots(image.resolution->y),
                 PNG_RESOLUTION_METER);
  }
  if (image.orientation != Orientation::upright) {
    auto block = make_exif(image.orientation, std::nullopt);
    png_set_eXIf_1(png_, info_, static_cast<png_uint_32>(block.size()),
                   reinterpret_cast<png_bytep>(block.data()));
  }
}

// Written as a plain chunk (PNG 1.2, 4.2.2.4): the library's own way refuses profiles that are in
// wide use, such as an sRGB profile of 1998.
void PngWriter::write_profile(const std::vector<std::byte>& profile) {
  constexpr char name[] = "ICC profile\0";  // its end, and 0 for deflate
  uLongf size = compressBound(profile.size());
  std::vector<png_byte> chunk(sizeof name + size);
  std::ranges::copy(name, chunk.begin());
  if (compress(chunk.data() + sizeof name, &size, reinterpret_cast<const Bytef*>(profile.data()),
               profile.size()) != Z_OK)
    throw Error(ErrorKind::resource, "there is no memory to encode it");
  constexpr png_byte type[] = {'i', 'C', 'C', 'P'};
  const auto* bytes = chunk.data();
  run([this, &type, bytes, length = sizeof name + size] {
    png_write_chunk(png_, type, bytes, length);
  });
}

std::vector<std::byte> PngWriter::write(const Image& image, const EncodeOptions& options,
                                        ItemContext& context) {
  const cv::Mat& pixels = image.pixels;
  const bool bilevel = is_bilevel(pixels);
  const Profile profile = fitting_profile(image.icc_profile, pixels.channels(), context);
  run([&] { write_header(pixels, bilevel, options); });
  set_metadata(image);
  run([this] { png_write_info(png_, info_); });
  if (profile) write_profile(*profile);
  png_set_bgr(png_);
  if (pixels.depth() == CV_16U && std::endian::native == std::endian::little) png_set_swap(png_);

  std::vector<std::uint8_t> bits(bilevel ? (static_cast<std::size_t>(pixels.cols) + 7) / 8 : 0);
  for (int y = 0; y < pixels.rows; ++y) {
    if (y % rows_between_checks == 0) context.check();
    const auto* row = pixels.ptr<std::uint8_t>(y);
    if (bilevel) pack_bits(row, pixels.cols, 255, bits.data());
    run([this, row = bilevel ? bits.data() : row] { png_write_row(png_, row); });
  }
  run([this] { png_write_end(png_, nullptr); });
  errors_.remarks.tell(context);
  return std::move(bytes_);
}

std::vector<std::byte> encode_png(const Image& image, const EncodeOptions& options,
                                  ItemContext& context) {
  return PngWriter().write(image, options, context);
}

bool is_png(Content file) noexcept {
  return file.size() >= 8 && png_sig_cmp(reinterpret_cast<png_const_bytep>(file.data()), 0, 8) == 0;
}

std::string library() { return std::string("libpng ") + png_get_libpng_ver(nullptr); }

}  // namespace

const Codec png_codec = {"png",      {"png", ""}, std::numeric_limits<int>::max(), is_png, open_png,
                         encode_png, library};

}  // namespace millrace::codecs
