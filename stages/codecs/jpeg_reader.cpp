// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <jerror.h>

#include <algorithm>
#include <cstdlib>

#include "stages/codecs/exif.hpp"
#include "stages/codecs/icc.hpp"
#include "stages/codecs/jpeg.hpp"
#include "stages/codecs/rows.hpp"

namespace millrace::codecs {

namespace {

/// A progressive file may hold any number of scans, each a pass over the whole picture.
constexpr int max_scans = 500;
constexpr int dht_marker = 0xC4, sos_marker = 0xDA;
constexpr int exif_marker = JPEG_APP0 + 1;
constexpr int icc_marker = JPEG_APP0 + 2;

/// The file in memory; notes when the library asks for more than there is.
struct JpegSource : jpeg_source_mgr {
  bool ended = false;

  void rewind(Content file) {
    ended = false;
    next_input_byte = reinterpret_cast<const JOCTET*>(file.data());
    bytes_in_buffer = file.size();
    init_source = [](j_decompress_ptr) {};
    term_source = [](j_decompress_ptr) {};
    resync_to_restart = jpeg_resync_to_restart;
    fill_input_buffer = [](j_decompress_ptr jpeg) -> boolean {
      static constexpr JOCTET end_of_image[] = {0xFF, JPEG_EOI};
      auto& source = *static_cast<JpegSource*>(jpeg->src);
      source.ended = true;
      source.next_input_byte = end_of_image;
      source.bytes_in_buffer = sizeof end_of_image;
      return TRUE;
    };
    skip_input_data = [](j_decompress_ptr jpeg, long count) {
      if (count <= 0) return;
      if (static_cast<std::size_t>(count) >= jpeg->src->bytes_in_buffer) {
        jpeg->src->fill_input_buffer(jpeg);
      } else {
        jpeg->src->next_input_byte += count;
        jpeg->src->bytes_in_buffer -= static_cast<std::size_t>(count);
      }
    };
  }
};

/// One decompression: the library's state, its warnings, and where the data ran out.
struct Decompressor {
  jpeg_decompress_struct jpeg{};
  JpegErrors errors;
  JpegSource source;
  jpeg_progress_mgr progress{};
  const Context* context = nullptr;  // while decoding
  bool fail_when_truncated = true;
  bool cancelled = false, too_many_scans = false;
  std::optional<int> truncated_row, truncated_scan;
  unsigned components_seen = 0;

  Decompressor() {
    jpeg.err = errors.install();
    jpeg.client_data = this;
    errors.warning = on_warning;
    if (!errors.escape.run([this] { jpeg_create_decompress(&jpeg); }))
      throw Error(ErrorKind::internal, errors.text);
    jpeg.src = &source;
    jpeg.progress = &progress;
    progress.progress_monitor = on_progress;
  }
  ~Decompressor() { jpeg_destroy_decompress(&jpeg); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  template <class F>
  bool run(F calls) {
    return errors.escape.run(calls);
  }

  /// In rows of the file's picture, whatever size it is decoded to.
  int rows_done() const {
    const auto rows = jpeg.input_iMCU_row * static_cast<unsigned>(jpeg.max_v_samp_factor) * DCTSIZE;
    return static_cast<int>(std::min(rows, jpeg.image_height));
  }

  // The library fills up what is missing; this is the first time that it has to.
  static void on_warning(j_common_ptr common) {
    auto& self = *static_cast<Decompressor*>(common->client_data);
    const auto& jpeg = self.jpeg;
    const bool last_row = jpeg.input_iMCU_row + 1 >= jpeg.total_iMCU_rows;
    const bool ends_early = jpeg.unread_marker == JPEG_EOI && !last_row;
    if (common->err->msg_code == JWRN_HIT_MARKER && (self.source.ended || ends_early)) {
      if (!self.truncated_row) {
        self.truncated_row = self.rows_done();
        self.truncated_scan = jpeg.input_scan_number;
      }
      if (self.fail_when_truncated) self.errors.escape.leave();
      return;
    }
    self.errors.remark(common);
  }

  static void on_progress(j_common_ptr common) {
    auto& self = *static_cast<Decompressor*>(common->client_data);
    for (int i = 0; i < self.jpeg.comps_in_scan; ++i)
      self.components_seen |= 1u << self.jpeg.cur_comp_info[i]->component_index;
    self.too_many_scans = self.jpeg.input_scan_number > max_scans;
    self.cancelled = self.context != nullptr && self.context->done();
    if (self.cancelled || self.too_many_scans) self.errors.escape.leave();
  }

  /// For a file of many scans that stops between two of them. A progressive picture is known to be
  /// whole when every coefficient has its last bit.
  bool lacks_scans() const {
    if (components_seen != (1u << jpeg.num_components) - 1) return true;
    if (!source.ended || jpeg.coef_bits == nullptr) return false;
    for (int c = 0; c < jpeg.num_components; ++c)
      if (std::ranges::any_of(jpeg.coef_bits[c], [](int bits) { return bits != 0; })) return true;
    return false;
  }
};

class JpegReader final : public Reader {
 public:
  explicit JpegReader(Content file) : file_(file) { read_header(); }

  Header header(int) override { return header_; }
  Need need(int, const DecodeRequest& request) override;

 protected:
  Image read(int, const DecodeRequest& request, ItemContext& context) override;

 private:
  void read_header();
  void choose_colours(bool gray);
  void shrink(cv::Size at_least);
  bool drop_last_marker();
  void start(const DecodeRequest& request);
  bool read_rows(cv::Mat& pixels, const CmykConverter* cmyk, ItemContext& context);
  void finish(const DecodeRequest& request, ItemContext& context);
  Profile profile();
  Error failure() const;

  Content file_;
  Decompressor in_;
  Header header_;
  std::optional<int> orientation_tag_;
  cv::Size wanted_;  // of the decoded picture
  bool header_read_ = false;
  bool fresh_ = false;  // the library stands behind the header
};

void JpegReader::read_header() {
  auto& jpeg = in_.jpeg;
  in_.source.rewind(file_);
  in_.context = nullptr;
  in_.truncated_row.reset();
  in_.components_seen = 0;
  const bool read = in_.run([&jpeg] {
    jpeg_abort_decompress(&jpeg);
    jpeg_save_markers(&jpeg, exif_marker, 0xFFFF);
    jpeg_save_markers(&jpeg, icc_marker, 0xFFFF);
    jpeg_read_header(&jpeg, TRUE);
  });
  if (!read) throw failure();
  const int components = jpeg.num_components;
  if (components != 1 && components != 3 && components != 4)
    throw Error(ErrorKind::input,
                "unsupported: JPEG of " + std::to_string(components) + " components");
  header_read_ = fresh_ = true;

  Exif exif;
  for (auto* marker = jpeg.marker_list; marker != nullptr; marker = marker->next)
    if (marker->marker == exif_marker) {
      const auto block = std::as_bytes(std::span(marker->data, marker->data_length));
      if (const Exif found = read_exif(block); found.orientation || found.resolution) exif = found;
    }
  header_ = {};
  header_.size = cv::Size(static_cast<int>(jpeg.image_width), static_cast<int>(jpeg.image_height));
  header_.channels = components == 1 ? 1 : 3;
  orientation_tag_ = exif.orientation;
  header_.orientation = orientation_of(exif.orientation.value_or(1));
  // JFIF 1.02: 1 is dots per inch, 2 per centimetre, 0 only says how wide a pixel is to its height.
  const double scale = jpeg.density_unit == 1 ? 1 : jpeg.density_unit == 2 ? 2.54 : 0;
  header_.resolution = resolution_of(jpeg.X_density * scale, jpeg.Y_density * scale);
  if (!jpeg.saw_JFIF_marker || !header_.resolution) header_.resolution = exif.resolution;
}

Error JpegReader::failure() const {
  const int code = in_.errors.msg_code;
  if (in_.truncated_row) {
    const int rows = header_.size.height;
    if (in_.jpeg.progressive_mode || *in_.truncated_scan > 1)
      return {ErrorKind::input, "truncated: ends in scan " + std::to_string(*in_.truncated_scan) +
                                    ", after row " + std::to_string(*in_.truncated_row) + " of " +
                                    std::to_string(rows)};
    return {ErrorKind::input, truncated_after(*in_.truncated_row, rows)};
  }
  if (in_.cancelled) in_.context->check();
  if (in_.too_many_scans)
    return {ErrorKind::input, "has more than " + std::to_string(max_scans) + " scans"};
  if (code == JERR_OUT_OF_MEMORY) return {ErrorKind::resource, "there is no memory to decode it"};
  if (code == JERR_BAD_PRECISION)
    return {ErrorKind::input,
            "unsupported: JPEG of " + std::to_string(in_.jpeg.data_precision) + " bits per sample"};
  if (code == JERR_SOF_UNSUPPORTED)
    return {ErrorKind::input, "unsupported: lossless or hierarchical JPEG"};
  if (in_.source.ended)
    return {ErrorKind::input, header_read_ ? "truncated: ends after scan " +
                                                 std::to_string(in_.jpeg.input_scan_number)
                                           : "truncated: ends within its header"};
  const std::string where = in_.rows_done() == 0 ? ""
                                                 : " after row " + std::to_string(in_.rows_done()) +
                                                       " of " + std::to_string(header_.size.height);
  return {ErrorKind::input, "corrupt" + where + ": " + in_.errors.text};
}

void JpegReader::choose_colours(bool gray) {
  auto& jpeg = in_.jpeg;
  const auto stored = jpeg.jpeg_color_space;
  if (jpeg.num_components == 1 || (gray && stored == JCS_YCbCr))
    jpeg.out_color_space = JCS_GRAYSCALE;
  else if (jpeg.num_components == 4)
    jpeg.out_color_space = JCS_CMYK;
  else
    jpeg.out_color_space = JCS_EXT_BGR;
}

// The largest of the sizes that the library makes by a cheaper inverse DCT with SIMD code. It
// rounds sizes up, the last column or row then showing mostly what lies outside of the picture;
// rounding to nearest keeps the scale truer.
void JpegReader::shrink(cv::Size at_least) {
  in_.jpeg.scale_denom = 8;
  for (const unsigned by : {8u, 4u, 2u, 1u}) {
    const auto shrunk = [by](int side) {
      return std::max(1, (side + static_cast<int>(by) / 2) / static_cast<int>(by));
    };
    in_.jpeg.scale_num = 8 / by;
    wanted_ = cv::Size(shrunk(header_.size.width), shrunk(header_.size.height));
    if (!at_least.empty() && wanted_.width >= at_least.width && wanted_.height >= at_least.height)
      return;
  }
}

// Of a file of several scans the library keeps every coefficient, 2 bytes each, whatever is shrunk
// or left out of the picture.
Need JpegReader::need(int, const DecodeRequest& request) {
  if (!fresh_) read_header();
  auto& jpeg = in_.jpeg;
  choose_colours(request.gray);
  shrink(request.at_least);
  if (!in_.run([&jpeg] { jpeg_calc_output_dimensions(&jpeg); })) throw failure();
  const cv::Size size(static_cast<int>(jpeg.output_width), static_cast<int>(jpeg.output_height));
  Need need{bytes_of(size, jpeg.out_color_space == JCS_GRAYSCALE ? 1 : 3, 8), 0};
  // Rows of blocks as samples, before and after chroma is widened.
  need.beside = std::uint64_t{jpeg.image_width} * jpeg.num_components * DCTSIZE * 8;
  if (jpeg_has_multiple_scans(&jpeg))
    for (const auto& component : std::span(jpeg.comp_info, jpeg.num_components))
      need.beside +=
          std::uint64_t{component.width_in_blocks} * component.height_in_blocks * sizeof(JBLOCK);
  return need;
}

Profile JpegReader::profile() {
  JOCTET* data = nullptr;
  unsigned length = 0;
  const bool read =
      in_.run([this, &data, &length] { jpeg_read_icc_profile(&in_.jpeg, &data, &length); });
  const std::unique_ptr<JOCTET, decltype(&std::free)> owner(data, &std::free);
  if (!read || length == 0) return nullptr;
  const auto bytes = std::as_bytes(std::span(data, length));
  return std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
}

// A file of several scans may end within the tables between two of them, which the library cannot
// go on from; it can from a file that ends in front of them.
bool JpegReader::drop_last_marker() {
  const auto is_marker = [this](std::size_t at) {
    const auto code = std::to_integer<int>(file_[at + 1]);
    return file_[at] == std::byte{0xFF} && (code == dht_marker || code == sos_marker);
  };
  for (std::size_t at = file_.size(); at-- > 2;)
    if (at + 1 < file_.size() && is_marker(at)) {
      file_ = file_.first(at);
      return true;
    }
  return false;
}

void JpegReader::start(const DecodeRequest& request) {
  const auto try_start = [this, &request] {
    choose_colours(request.gray);
    shrink(request.at_least);
    return in_.run([this] { jpeg_start_decompress(&in_.jpeg); });
  };
  if (try_start()) return;
  const bool ended = in_.source.ended && !in_.truncated_row && !in_.cancelled;
  if (!ended || request.truncated == Truncated::fail || !drop_last_marker()) throw failure();
  const Context* context = in_.context;
  read_header();
  in_.context = context;
  if (!try_start()) throw failure();
}

// False where the library cannot go on; the rows that it did not get to are then blank.
bool JpegReader::read_rows(cv::Mat& pixels, const CmykConverter* cmyk, ItemContext& context) {
  auto& jpeg = in_.jpeg;
  cv::Mat inks;
  if (cmyk) inks = new_pixels({pixels.cols, rows_between_checks}, 4, 8);
  JSAMPROW rows[rows_between_checks];
  while (jpeg.output_scanline < jpeg.output_height) {
    context.check();
    const int first = static_cast<int>(jpeg.output_scanline);
    const int count = std::min(rows_between_checks, pixels.rows - first);
    for (int i = 0; i < count; ++i) rows[i] = cmyk ? inks.ptr(i) : pixels.ptr(first + i);
    const bool read = in_.run([&jpeg, &rows, first, count] {
      while (jpeg.output_scanline < static_cast<unsigned>(first + count)) {
        const auto done = jpeg.output_scanline - static_cast<unsigned>(first);
        jpeg_read_scanlines(&jpeg, rows + done, static_cast<unsigned>(count) - done);
      }
    });
    const int done = static_cast<int>(jpeg.output_scanline);
    for (int i = 0; cmyk && i < done - first; ++i)
      cmyk->convert(inks.ptr(i), pixels.ptr(first + i), pixels.cols);
    if (read) continue;
    pixels.rowRange(done, pixels.rows).setTo(0);
    return false;
  }
  return true;
}

void JpegReader::finish(const DecodeRequest& request, ItemContext& context) {
  auto& jpeg = in_.jpeg;
  const bool several = jpeg_has_multiple_scans(&jpeg);
  const int scans = jpeg.input_scan_number;
  const bool lacks = several && in_.lacks_scans();
  if (!in_.run([&jpeg] { jpeg_finish_decompress(&jpeg); })) in_.errors.remarks.add(in_.errors.text);
  if (in_.truncated_row) return tell_unfinished(failure(), request, context);
  if (lacks)
    return tell_unfinished(
        {ErrorKind::input, "truncated: ends after scan " + std::to_string(scans)}, request,
        context);
  if (in_.source.ended) in_.errors.remarks.add("it has no end marker; every row is there");
  in_.errors.remarks.tell(context);
}

Image JpegReader::read(int, const DecodeRequest& request, ItemContext& context) {
  if (!fresh_) read_header();
  fresh_ = false;
  auto& jpeg = in_.jpeg;
  in_.context = &context;
  in_.fail_when_truncated = request.truncated == Truncated::fail;
  Image image;
  Profile icc = profile();
  start(request);
  fresh_ = false;

  const bool is_gray = jpeg.out_color_space == JCS_GRAYSCALE;
  const cv::Size size(static_cast<int>(jpeg.output_width), static_cast<int>(jpeg.output_height));
  cv::Mat pixels = new_pixels(size, is_gray ? 1 : 3, 8);
  std::optional<CmykConverter> cmyk;
  if (jpeg.out_color_space == JCS_CMYK) {
    const Content profile_bytes = icc ? Content(*icc) : Content();
    cmyk.emplace(profile_bytes, 8, jpeg.saw_Adobe_marker, context);
    icc.reset();
  }
  if (is_gray && header_.channels == 3) icc.reset();  // asked for; it cannot describe luminance
  if (read_rows(pixels, cmyk ? &*cmyk : nullptr, context))
    finish(request, context);
  else
    tell_unfinished(failure(), request, context);
  if (const auto complaint = complain_of_orientation(orientation_tag_)) context.warn(*complaint);
  image.icc_profile = fitting_profile(std::move(icc), is_gray ? 1 : 3, context);
  image.pixels = pixels(cv::Rect({0, 0}, wanted_));
  image.format = jpeg_codec.name;
  return image;
}

}  // namespace

std::unique_ptr<Reader> open_jpeg(Content file) { return std::make_unique<JpegReader>(file); }

}  // namespace millrace::codecs
