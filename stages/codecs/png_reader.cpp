// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "stages/codecs/endian.hpp"
#include "stages/codecs/exif.hpp"
#include "stages/codecs/icc.hpp"
#include "stages/codecs/png.hpp"
#include "stages/codecs/rows.hpp"

namespace millrace::codecs {

namespace {

/// libpng's two structures.
struct PngState {
  PngErrors errors;
  png_structp png = nullptr;
  png_infop info = nullptr;

  PngState() {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &errors, PngErrors::on_error,
                                 PngErrors::on_warning);
    if (png != nullptr) info = png_create_info_struct(png);
    if (info == nullptr) {
      png_destroy_read_struct(&png, &info, nullptr);
      throw Error(ErrorKind::resource, "there is no memory to decode it");
    }
  }
  ~PngState() { png_destroy_read_struct(&png, &info, nullptr); }
  PngState(const PngState&) = delete;
  PngState& operator=(const PngState&) = delete;
};

class PngReader final : public Reader {
 public:
  explicit PngReader(Content file) : file_(file) { read_header(); }

  Header header(int) override { return header_; }
  Need need(int, const DecodeRequest&) override;

 protected:
  Image read(int, const DecodeRequest& request, ItemContext& context) override;

 private:
  template <class F>
  bool run(F calls) {
    return in_->errors.escape.run(calls);
  }
  static void on_read(png_structp png, png_bytep to, std::size_t count);

  void read_header();
  void set_transformations();
  void read_metadata();
  bool read_rows(cv::Mat& pixels, ItemContext& context);
  std::string unfinished() const;
  Profile profile();
  Content chunk(std::string_view type, std::string_view until) const;
  bool has_chunk(std::string_view type) const;
  std::uint32_t frames() const;

  Content file_;
  std::size_t at_ = 0;
  bool ended_ = false;  // the library asked for more than there is
  std::unique_ptr<PngState> in_;
  Header header_;
  std::optional<int> orientation_tag_;
  int passes_ = 1, pass_ = 0, row_ = 0;  // where decoding stands
  bool fresh_ = false;
};

void PngReader::on_read(png_structp png, png_bytep to, std::size_t count) {
  auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
  if (self.file_.size() - self.at_ < count) {
    self.ended_ = true;
    png_error(png, "the file ends");
  }
  std::memcpy(to, self.file_.data() + self.at_, count);
  self.at_ += count;
}

void PngReader::read_header() {
  in_ = std::make_unique<PngState>();
  at_ = 0;
  ended_ = false;
  pass_ = row_ = 0;
  png_structp png = in_->png;
  png_set_read_fn(png, this, on_read);
  png_set_user_limits(png, 0x7FFFFFFF, 0x7FFFFFFF);  // max_pixels is the limit
  png_set_benign_errors(png, 1);
  png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
  // A cut file is read in small pieces, so that what it has of its last rows is not lost.
  if (!has_chunk("IEND")) png_set_compression_buffer_size(png, 64);
  if (!run([this, png] { png_read_info(png, in_->info); }))
    throw Error(ErrorKind::input,
                ended_ ? "truncated: ends within its header" : "corrupt: " + in_->errors.text);
  const int colour = png_get_color_type(png, in_->info);
  const bool alpha =
      (colour & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, in_->info, PNG_INFO_tRNS) != 0;
  header_ = {};
  header_.size = cv::Size(static_cast<int>(png_get_image_width(png, in_->info)),
                          static_cast<int>(png_get_image_height(png, in_->info)));
  header_.channels = alpha ? 4 : (colour & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1;
  header_.bits = png_get_bit_depth(png, in_->info) == 16 ? 16 : 8;
  read_metadata();
  fresh_ = true;
}

void PngReader::read_metadata() {
  png_uint_32 x = 0, y = 0;
  int unit = PNG_RESOLUTION_UNKNOWN;
  if (png_get_pHYs(in_->png, in_->info, &x, &y, &unit) != 0 && unit == PNG_RESOLUTION_METER)
    header_.resolution =
        resolution_of(dots_per_inch(x, metres_per_inch), dots_per_inch(y, metres_per_inch));
  // The library gives this chunk only after the pixels where it stands behind them.
  const Exif exif = read_exif(chunk("eXIf", "IEND"));
  orientation_tag_ = exif.orientation;
  header_.orientation = orientation_of(exif.orientation.value_or(1));
  if (!header_.resolution) header_.resolution = exif.resolution;
}

void PngReader::set_transformations() {
  png_structp png = in_->png;
  png_set_expand(png);  // palettes, 1, 2 and 4 bits, transparent colours
  if (header_.channels == 4) png_set_gray_to_rgb(png);
  png_set_bgr(png);
  if (header_.bits == 16 && std::endian::native == std::endian::little) png_set_swap(png);
  passes_ = png_set_interlace_handling(png);
  png_read_update_info(png, in_->info);
}

// False where the data end or break; pass_ and row_ then say where.
bool PngReader::read_rows(cv::Mat& pixels, ItemContext& context) {
  for (pass_ = 0; pass_ < passes_; ++pass_)
    for (row_ = 0; row_ < pixels.rows;) {
      context.check();
      const int end = std::min(row_ + rows_between_checks, pixels.rows);
      const bool read = run([this, &pixels, end] {
        for (; row_ < end; ++row_) png_read_row(in_->png, pixels.ptr(row_), nullptr);
      });
      if (!read) return false;
    }
  return true;
}

// The library holds a few rows, and deflate's window.
Need PngReader::need(int, const DecodeRequest&) {
  return {bytes_of(header_.size, header_.channels, header_.bits),
          4 * bytes_of({header_.size.width, 1}, header_.channels, header_.bits) + (64 << 10)};
}

std::string PngReader::unfinished() const {
  const std::string where =
      passes_ > 1
          ? "in pass " + std::to_string(pass_ + 1) + " of " + std::to_string(passes_)
          : "after row " + std::to_string(row_) + " of " + std::to_string(header_.size.height);
  return ended_ ? "truncated: ends " + where : "corrupt " + where + ": " + in_->errors.text;
}

Profile PngReader::profile() {
  png_charp name = nullptr;
  png_bytep data = nullptr;
  png_uint_32 size = 0;
  int compression = 0;
  if (png_get_iCCP(in_->png, in_->info, &name, &compression, &data, &size) == 0) return nullptr;
  const auto bytes = std::as_bytes(std::span(data, size));
  return std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
}

bool PngReader::has_chunk(std::string_view type) const {
  const Content found = chunk(type, type);
  return found.data() != nullptr;
}

// The content of the first chunk of a type in front of `until`; empty where there is none.
Content PngReader::chunk(std::string_view type, std::string_view until) const {
  const EndianReader in(file_, ByteOrder::big);
  const auto* text = reinterpret_cast<const char*>(file_.data());
  for (std::uint64_t at = 8;;) {
    const auto length = in.u32(at);
    if (!length || at + 12 + *length > file_.size()) return {};
    const std::string_view name(text + at + 4, 4);
    if (name == type) return file_.subspan(at + 8, *length);
    if (name == until) return {};
    at += std::uint64_t{*length} + 12;
  }
}

// An animated PNG says how many frames it has in front of the first picture data.
std::uint32_t PngReader::frames() const {
  return EndianReader(chunk("acTL", "IDAT"), ByteOrder::big).u32(0).value_or(1);
}

Image PngReader::read(int, const DecodeRequest& request, ItemContext& context) {
  if (!fresh_) read_header();
  fresh_ = false;
  Image image;
  image.icc_profile = profile();
  if (!run([this] { set_transformations(); }))
    throw Error(ErrorKind::input, "corrupt: " + in_->errors.text);
  image.pixels = new_pixels(header_.size, header_.channels, header_.bits);
  if (passes_ > 1) image.pixels.setTo(0);  // a pass that is cut leaves holes in every row
  if (!read_rows(image.pixels, context)) {
    if (passes_ == 1) image.pixels.rowRange(row_, image.pixels.rows).setTo(0);
    tell_unfinished({ErrorKind::input, unfinished()}, request, context);
  } else if (!run([this] { png_read_end(in_->png, in_->info); })) {
    in_->errors.remarks.add(ended_ ? "it has no end marker; every row is there"
                                   : in_->errors.text.c_str());
  }
  if (const auto count = frames(); count > 1)
    context.warn("it is an animation; " + std::to_string(count - 1) + " frames are dropped");
  in_->errors.remarks.tell(context);
  if (const auto complaint = complain_of_orientation(orientation_tag_)) context.warn(*complaint);
  image.icc_profile = fitting_profile(std::move(image.icc_profile), header_.channels, context);
  image.format = png_codec.name;
  return image;
}

}  // namespace

std::unique_ptr<Reader> open_png(Content file) { return std::make_unique<PngReader>(file); }

}  // namespace millrace::codecs
