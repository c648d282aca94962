// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "isolate/payload.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "isolate/shared_pixels.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::size_t payload_kinds = std::variant_size_v<Payload>;
constexpr std::size_t error_kinds = static_cast<std::size_t>(ErrorKind::internal) + 1;
constexpr std::size_t least_apart = std::size_t{16} << 10;  // of a file's bytes
using SharedBytes = std::shared_ptr<const std::vector<std::byte>>;

template <class T>
void put_optional(Writer& fields, const std::optional<T>& value) {
  fields.put(value.has_value());
  if (value) fields.put(*value);
}
template <class T>
std::optional<T> get_optional(Reader& fields) {
  return fields.get<bool>() ? std::optional(fields.get<T>()) : std::nullopt;
}

/// Bytes are a vector on both sides, so they are copied out again; small ones are not worth it.
void put_bytes(Writer& fields, const SharedBytes& bytes) {
  fields.put(bytes != nullptr);
  if (!bytes) return;
  fields.put<std::uint64_t>(bytes->size());
  fields.put(bytes->size() >= least_apart);
  if (bytes->size() < least_apart) return fields.put_bytes(*bytes);
  Loan loan = SegmentPool::instance().lend(bytes->size());
  std::ranges::copy(*bytes, loan->data());
  fields.put(std::move(loan));
}

SharedBytes get_bytes(Reader& fields, Link& link) {
  if (!fields.get<bool>()) return nullptr;
  const auto size = fields.get<std::uint64_t>();
  if (!fields.get<bool>()) {
    const auto bytes = fields.take(size);
    return std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  }
  const Loan loan = link.get_loan(fields);
  if (size > loan->size()) Reader::refuse();
  return std::make_shared<const std::vector<std::byte>>(loan->data(), loan->data() + size);
}

/// The same pixels in a segment that the other side can see.
cv::Mat shared(const cv::Mat& pixels) {
  const Loan present = segment_of(pixels);
  if (present && present->is_shared()) return pixels;
  const auto step = static_cast<std::size_t>(pixels.cols) * pixels.elemSize();
  Loan loan = SegmentPool::instance().lend(step * static_cast<std::size_t>(pixels.rows));
  cv::Mat copy = pixels_in(std::move(loan), 0, pixels.size(), pixels.type(), step);
  pixels.copyTo(copy);
  return copy;
}

void put_pixels(Writer& fields, const Link& link, const cv::Mat& pixels) {
  Loan segment = segment_of(pixels);
  fields.put(pixels.cols);
  fields.put(pixels.rows);
  fields.put(pixels.type());
  fields.put<std::uint64_t>(pixels.step[0]);
  fields.put<std::uint64_t>(static_cast<std::uint64_t>(
      reinterpret_cast<const std::byte*>(pixels.data) - segment->data()));
  const auto number = link.number_there(*segment);
  fields.put(number.has_value());
  if (number)
    fields.put(*number);
  else
    fields.put(std::move(segment));
}

cv::Mat get_pixels(Reader& fields, Link& link, const Loan& given) {
  const int columns = fields.get<int>(), rows = fields.get<int>(), type = fields.get<int>();
  const auto step = fields.get<std::uint64_t>(), offset = fields.get<std::uint64_t>();
  const bool comes_back = fields.get<bool>();
  if (comes_back && (!given || fields.get<std::uint64_t>() != given->id())) Reader::refuse();
  Loan loan = comes_back ? given : link.get_loan(fields);
  if (columns <= 0 || rows <= 0 || type != CV_MAT_TYPE(type)) Reader::refuse();
  const auto row = static_cast<std::uint64_t>(columns) * CV_ELEM_SIZE(type);
  const auto others = static_cast<std::uint64_t>(rows) - 1;
  const std::uint64_t size = loan->size();
  const bool fits = offset <= size && row <= step && row <= size - offset && step <= size &&
                    others <= (size - offset - row) / step;
  if (!fits) Reader::refuse();
  return pixels_in(std::move(loan), offset, {columns, rows}, type, step);
}

void put(Writer& fields, const Link& link, const Image& image) {
  put_pixels(fields, link, image.pixels);
  fields.put(image.full_size.width);
  fields.put(image.full_size.height);
  fields.put(image.orientation);
  fields.put(image.resolution.has_value());
  if (image.resolution) {
    fields.put(image.resolution->x);
    fields.put(image.resolution->y);
  }
  put_bytes(fields, image.icc_profile);
  fields.put(image.format);
}

Image get_image(Reader& fields, Link& link, const Loan& given) {
  Image image;
  image.pixels = get_pixels(fields, link, given);
  image.full_size.width = fields.get<int>();
  image.full_size.height = fields.get<int>();
  image.orientation = fields.get_enum<Orientation>(9);
  if (fields.get<bool>()) {
    Resolution& resolution = image.resolution.emplace();
    resolution.x = fields.get<double>();
    resolution.y = fields.get<double>();
  }
  image.icc_profile = get_bytes(fields, link);
  image.format = fields.get_text();
  return image;
}

// One list of the fields of a text, walked by either side.

class Put {
 public:
  explicit Put(Writer& fields) : fields_(fields) {}
  void field(std::string& text) { fields_.put(text); }
  template <class T>
  void field(T& value) {
    fields_.put(value);
  }
  template <class T>
  void field(std::optional<T>& value) {
    put_optional(fields_, value);
  }
  template <class T, class Each>
  void list(std::vector<T>& values, const Each& each) {
    fields_.put<std::uint64_t>(values.size());
    for (T& value : values) each(value);
  }

 private:
  Writer& fields_;
};

class Get {
 public:
  explicit Get(Reader& fields) : fields_(fields) {}
  void field(std::string& text) { text = fields_.get_text(); }
  void field(Text::Block::Kind& kind) { kind = fields_.get_enum<Text::Block::Kind>(3); }
  template <class T>
  void field(T& value) {
    value = fields_.get<T>();
  }
  template <class T>
  void field(std::optional<T>& value) {
    value = get_optional<T>(fields_);
  }
  template <class T, class Each>
  void list(std::vector<T>& values, const Each& each) {
    values.resize(fields_.get_count(1));
    for (T& value : values) each(value);
  }

 private:
  Reader& fields_;
};

template <class Side>
void walk_box(Side& side, cv::Rect& box) {
  side.field(box.x);
  side.field(box.y);
  side.field(box.width);
  side.field(box.height);
}

template <class Side>
void walk_line(Side& side, Text::Line& line) {
  side.list(line.words, [&](Text::Word& word) {
    side.field(word.text);
    walk_box(side, word.box);
    side.field(word.confidence);
  });
  walk_box(side, line.box);
  for (float* number : {&line.baseline_slope, &line.baseline_offset, &line.x_height, &line.ascender,
                        &line.descender})
    side.field(*number);
}

template <class Side>
void walk_text(Side& side, Text& text) {
  side.list(text.blocks, [&](Text::Block& block) {
    side.list(block.paragraphs, [&](Text::Paragraph& paragraph) {
      side.list(paragraph.lines, [&](Text::Line& line) { walk_line(side, line); });
      walk_box(side, paragraph.box);
      side.field(paragraph.left_to_right);
    });
    walk_box(side, block.box);
    side.field(block.kind);
    side.field(block.text_angle);
  });
  side.field(text.page_size.width);
  side.field(text.page_size.height);
  side.field(text.dots_per_inch);
  side.field(text.language);
  side.field(text.page);
  side.field(text.source);
}

}  // namespace

void put_origin(Writer& fields, const Origin& origin) {
  fields.put(origin.path);
  fields.put(origin.file.native());
  fields.put(origin.index);
  put_optional(fields, origin.page);
}

Origin get_origin(Reader& fields) {
  Origin origin;
  origin.path = fields.get_text();
  origin.file = fields.get_text();
  origin.index = fields.get<std::uint64_t>();
  origin.page = get_optional<std::uint32_t>(fields);
  return origin;
}

void put_error(Writer& fields, const Error& error) {
  fields.put(error.kind());
  fields.put(std::string_view(error.what()));
}

Error get_error(Reader& fields) {
  const auto kind = fields.get_enum<ErrorKind>(error_kinds);
  return {kind, fields.get_text()};
}

Payload put_payload(Writer& fields, const Link& link, Payload payload) {
  fields.put(kind_of(payload));
  if (auto* image = std::get_if<Image>(&payload)) {
    image->pixels = shared(image->pixels);
    put(fields, link, *image);
  } else if (auto* bytes = std::get_if<Bytes>(&payload)) {
    put_bytes(fields, bytes->data);
    fields.put(bytes->extension);
  } else {
    Put side(fields);
    walk_text(side, std::get<Text>(payload));
  }
  return payload;
}

Payload get_payload(Reader& fields, Link& link, const Loan& given) {
  switch (fields.get_enum<PayloadKind>(payload_kinds)) {
    case PayloadKind::image:
      return get_image(fields, link, given);
    case PayloadKind::bytes: {
      Bytes bytes;
      bytes.data = get_bytes(fields, link);
      bytes.extension = fields.get_text();
      return bytes;
    }
    case PayloadKind::text:
      break;
  }
  Text text;
  Get side(fields);
  walk_text(side, text);
  return text;
}

}  // namespace millrace::inline v1
