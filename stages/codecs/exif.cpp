// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/exif.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "stages/codecs/endian.hpp"

namespace millrace::codecs {

namespace {

enum Tag : std::uint16_t {
  tag_orientation = 0x0112,
  tag_x_resolution = 0x011A,
  tag_y_resolution = 0x011B,
  tag_resolution_unit = 0x0128,
};
enum Type : std::uint16_t { type_byte = 1, type_short = 3, type_long = 4, type_rational = 5 };

constexpr std::size_t header_size = 8;
constexpr std::size_t entry_size = 12;
constexpr double centimetres_per_inch = 2.54;

std::optional<int> whole(const EndianReader& in, std::uint64_t entry) {
  const auto type = in.u16(entry + 2);
  if (type == type_short) return in.u16(entry + 8);
  if (const auto value = in.u32(entry + 8); type == type_long && value && *value < 65536)
    return static_cast<int>(*value);
  return std::nullopt;
}

double rational(const EndianReader& in, std::uint64_t entry) {
  const auto at = in.u32(entry + 8);
  if (in.u16(entry + 2) != type_rational || !at) return 0;
  const auto over = in.u32(*at), under = in.u32(std::uint64_t{*at} + 4);
  return over && under && *under != 0 ? static_cast<double>(*over) / *under : 0;
}

class Writer {
 public:
  void u16(std::uint32_t value) { put(value, 2); }
  void u32(std::uint32_t value) { put(value, 4); }
  void entry(Tag tag, Type type, std::uint32_t value) {
    u16(tag);
    u16(type);
    u32(1);
    u32(value);  // a SHORT stands in the low half, which comes first
  }
  void rational(double value) {
    constexpr std::uint32_t under = 10000;
    const double most = 4294967295.0 / under;
    u32(static_cast<std::uint32_t>(std::lround(std::min(value, most) * under)));
    u32(under);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void put(std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
  std::vector<std::byte> bytes_;
};

}  // namespace

Exif read_exif(std::span<const std::byte> block) {
  const auto starts_with = [&block](std::string_view text) {
    return std::string_view(reinterpret_cast<const char*>(block.data()), block.size())
        .starts_with(text);
  };
  if (starts_with({"Exif\0\0", 6})) block = block.subspan(6);
  if (!starts_with("II") && !starts_with("MM")) return {};
  const EndianReader in(block, starts_with("II") ? ByteOrder::little : ByteOrder::big);
  const auto directory = in.u32(4);
  const auto count = directory ? in.u16(*directory) : std::nullopt;
  if (in.u16(2) != 42 || !count) return {};

  Exif exif;
  double x = 0, y = 0;
  int unit = 2;  // EXIF 2.32, 4.6.4: inches unless it says otherwise
  for (std::uint64_t i = 0; i < *count; ++i) {
    const std::uint64_t entry = std::uint64_t{*directory} + 2 + i * entry_size;
    const auto tag = in.u16(entry);
    if (!tag || entry + entry_size > in.size()) break;
    if (*tag == tag_orientation) exif.orientation = whole(in, entry);
    if (*tag == tag_x_resolution) x = rational(in, entry);
    if (*tag == tag_y_resolution) y = rational(in, entry);
    if (*tag == tag_resolution_unit) unit = whole(in, entry).value_or(unit);
  }
  const double scale = unit == 2 ? 1 : unit == 3 ? centimetres_per_inch : 0;
  exif.resolution = resolution_of(x * scale, y * scale);
  return exif;
}

std::vector<std::byte> make_exif(Orientation orientation, std::optional<Resolution> resolution) {
  const std::uint32_t entries = resolution ? 4 : 1;
  const auto rationals = static_cast<std::uint32_t>(header_size + 2 + entries * entry_size + 4);
  Writer out;
  out.u16('I' | 'I' << 8);
  out.u16(42);
  out.u32(header_size);
  out.u16(entries);
  out.entry(tag_orientation, type_short, static_cast<std::uint32_t>(orientation));
  if (resolution) {
    out.entry(tag_x_resolution, type_rational, rationals);
    out.entry(tag_y_resolution, type_rational, rationals + 8);
    out.entry(tag_resolution_unit, type_short, 2);
  }
  out.u32(0);  // no further directory
  if (resolution) {
    out.rational(resolution->x);
    out.rational(resolution->y);
  }
  return out.take();
}

Orientation orientation_of(int tag) noexcept {
  return tag >= 1 && tag <= 8 ? static_cast<Orientation>(tag) : Orientation::upright;
}

std::optional<std::string> complain_of_orientation(std::optional<int> tag) {
  if (!tag || (*tag >= 0 && *tag <= 8)) return std::nullopt;
  return "its orientation " + std::to_string(*tag) + " is outside 1..8; taken as upright";
}

std::optional<Resolution> resolution_of(double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y) || x <= 0 || y <= 0) return std::nullopt;
  return Resolution{x, y};
}

double dots_per_inch(double dots, double per_inch) {
  const double exact = dots * per_inch;
  const double near = std::round(exact);
  return std::round(near / per_inch) == dots ? near : exact;
}

}  // namespace millrace::codecs
