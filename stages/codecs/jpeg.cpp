// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/jpeg.hpp"

#include <jerror.h>

#include <algorithm>
#include <cmath>

#include "stages/codecs/exif.hpp"
#include "stages/codecs/icc.hpp"
#include "stages/codecs/rows.hpp"

namespace millrace::codecs {

namespace {

constexpr int default_quality = 85;
constexpr int exif_marker = JPEG_APP0 + 1;

/// Grows a vector as the library fills it.
struct JpegDestination : jpeg_destination_mgr {
  std::vector<std::byte> bytes;

  void install(std::size_t first_size) {
    bytes.resize(first_size);
    init_destination = [](j_compress_ptr jpeg) { of(jpeg).offer(0); };
    empty_output_buffer = [](j_compress_ptr jpeg) -> boolean {
      auto& self = of(jpeg);
      const std::size_t filled = self.bytes.size();
      if (!self.grow()) ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
      self.offer(filled);
      return TRUE;
    };
    term_destination = [](j_compress_ptr jpeg) {
      auto& self = of(jpeg);
      self.bytes.resize(self.bytes.size() - self.free_in_buffer);
    };
  }

 private:
  static JpegDestination& of(j_compress_ptr jpeg) {
    return *static_cast<JpegDestination*>(jpeg->dest);
  }
  void offer(std::size_t from) {
    next_output_byte = reinterpret_cast<JOCTET*>(bytes.data() + from);
    free_in_buffer = bytes.size() - from;
  }
  bool grow() noexcept {
    try {
      bytes.resize(bytes.size() * 2);
      return true;
    } catch (...) {
      return false;
    }
  }
};

class JpegWriter {
 public:
  JpegWriter() {
    jpeg_.err = errors_.install();
    run([this] { jpeg_create_compress(&jpeg_); });
    jpeg_.dest = &to_;
  }
  ~JpegWriter() { jpeg_destroy_compress(&jpeg_); }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  std::vector<std::byte> write(const Image& image, const EncodeOptions& options,
                               ItemContext& context);

 private:
  template <class F>
  void run(F calls) {
    if (errors_.escape.run(calls)) return;
    const bool memory = errors_.msg_code == JERR_OUT_OF_MEMORY;
    throw Error(memory ? ErrorKind::resource : ErrorKind::internal,
                std::string("JPEG encoder: ") + errors_.text);
  }
  void set(const EncodeOptions& options);
  void set_resolution(std::optional<Resolution> resolution);
  void write_metadata(const Image& image, const Profile& profile);

  jpeg_compress_struct jpeg_{};
  JpegErrors errors_;
  JpegDestination to_;
};

void JpegWriter::set(const EncodeOptions& options) {
  jpeg_set_defaults(&jpeg_);
  jpeg_set_quality(&jpeg_, options.quality.value_or(default_quality), TRUE);
  if (jpeg_.num_components == 3) {
    const int factor = options.chroma == Chroma::full ? 1 : 2;
    jpeg_.comp_info[0].h_samp_factor = factor;
    jpeg_.comp_info[0].v_samp_factor = factor;
  }
  jpeg_.optimize_coding = options.optimize;
  if (options.progressive) jpeg_simple_progression(&jpeg_);
}

// JFIF has 16-bit whole numbers, per inch or per centimetre: the unit that loses less.
void JpegWriter::set_resolution(std::optional<Resolution> resolution) {
  constexpr double most = 65535, centimetres_per_inch = 2.54;
  if (!resolution || resolution->x > most || resolution->y > most) return;
  const auto loss = [&resolution](double scale) {
    const auto one = [scale](double value) {
      const double dots = std::max(1.0, std::round(value / scale));
      return std::abs(dots * scale - value);
    };
    return one(resolution->x) + one(resolution->y);
  };
  const bool inches = loss(1) <= loss(centimetres_per_inch);
  const auto dots = [inches](double value) {
    return static_cast<UINT16>(
        std::max(1.0, std::round(inches ? value : value / centimetres_per_inch)));
  };
  jpeg_.density_unit = inches ? 1 : 2;
  jpeg_.X_density = dots(resolution->x);
  jpeg_.Y_density = dots(resolution->y);
}

void JpegWriter::write_metadata(const Image& image, const Profile& profile) {
  if (image.orientation != Orientation::upright) {
    constexpr std::string_view prefix("Exif\0\0", 6);
    auto block = make_exif(image.orientation, image.resolution);
    const auto head = std::as_bytes(std::span(prefix));
    block.insert(block.begin(), head.begin(), head.end());
    const auto* bytes = reinterpret_cast<const JOCTET*>(block.data());
    const auto size = static_cast<unsigned>(block.size());
    run([this, bytes, size] { jpeg_write_marker(&jpeg_, exif_marker, bytes, size); });
  }
  if (profile) {
    const auto* bytes = reinterpret_cast<const JOCTET*>(profile->data());
    const auto size = static_cast<unsigned>(profile->size());
    run([this, bytes, size] { jpeg_write_icc_profile(&jpeg_, bytes, size); });
  }
}

std::vector<std::byte> JpegWriter::write(const Image& image, const EncodeOptions& options,
                                         ItemContext& context) {
  EightBitRows source(image.pixels, false, options.background);
  const Profile profile = fitting_profile(image.icc_profile, source.channels(), context);
  jpeg_.image_width = static_cast<JDIMENSION>(image.pixels.cols);
  jpeg_.image_height = static_cast<JDIMENSION>(image.pixels.rows);
  jpeg_.input_components = source.channels();
  jpeg_.in_color_space = source.channels() == 1 ? JCS_GRAYSCALE : JCS_EXT_BGR;
  to_.install(4096 + image.pixels.total() / 2);
  run([this, &options] { set(options); });
  set_resolution(image.resolution);
  run([this] { jpeg_start_compress(&jpeg_, TRUE); });
  write_metadata(image, profile);
  for (int y = 0; y < image.pixels.rows; ++y) {
    if (y % rows_between_checks == 0) context.check();
    auto* row = const_cast<JSAMPROW>(source.row(y));  // the library only reads it
    run([this, &row] { jpeg_write_scanlines(&jpeg_, &row, 1); });
  }
  run([this] { jpeg_finish_compress(&jpeg_); });
  return std::move(to_.bytes);
}

std::vector<std::byte> encode_jpeg(const Image& image, const EncodeOptions& options,
                                   ItemContext& context) {
  return JpegWriter().write(image, options, context);
}

bool is_jpeg(Content file) noexcept {
  constexpr std::byte start[] = {std::byte{0xFF}, std::byte{0xD8}, std::byte{0xFF}};
  return file.size() >= std::size(start) && std::ranges::equal(file.first(3), start);
}

/// As it was compiled with: the library does not tell.
std::string library() {
  constexpr int version = LIBJPEG_TURBO_VERSION_NUMBER;  // 2001005 is 2.1.5
  return "libjpeg-turbo " + std::to_string(version / 1000000) + "." +
         std::to_string(version / 1000 % 1000) + "." + std::to_string(version % 1000);
}

}  // namespace

// The library stops at JPEG_MAX_DIMENSION, a little below the format's 65535.
const Codec jpeg_codec = {"jpeg",      {"jpg", "jpeg"}, JPEG_MAX_DIMENSION, is_jpeg, open_jpeg,
                          encode_jpeg, library};

}  // namespace millrace::codecs
