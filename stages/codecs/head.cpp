// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/head.hpp"

#include <tiffio.h>

#include <algorithm>
#include <optional>

#include "stages/codecs/codec.hpp"
#include "stages/codecs/endian.hpp"

namespace millrace::codecs {

namespace {

constexpr std::uint16_t big_version = 43;
constexpr std::uint64_t most_entries = 4096;
constexpr int most_directories = 8;  // to look through for one that is not a thumbnail's

constexpr std::uint16_t wanted[] = {
    TIFFTAG_IMAGEWIDTH,   TIFFTAG_IMAGELENGTH, TIFFTAG_BITSPERSAMPLE,   TIFFTAG_COMPRESSION,
    TIFFTAG_PHOTOMETRIC,  TIFFTAG_ORIENTATION, TIFFTAG_SAMPLESPERPIXEL, TIFFTAG_ROWSPERSTRIP,
    TIFFTAG_PLANARCONFIG, TIFFTAG_TILEWIDTH,   TIFFTAG_TILELENGTH,      TIFFTAG_EXTRASAMPLES,
    TIFFTAG_SAMPLEFORMAT};

struct Field {
  std::uint16_t tag;
  std::uint32_t value;  // the first where there are several
};

/// A page's directory, as far as it is wanted (TIFF 6.0, section 2; BigTIFF).
struct Directory {
  std::vector<Field> fields;  // ascending, as the format wants it
  std::uint64_t next = 0;
  bool is_page = true;

  std::uint32_t value(std::uint16_t tag, std::uint32_t otherwise) const {
    const auto at = std::ranges::find(fields, tag, &Field::tag);
    return at == fields.end() ? otherwise : at->value;
  }
  void set(std::uint16_t tag, std::uint32_t value) {
    auto at = std::ranges::lower_bound(fields, tag, {}, &Field::tag);
    if (at == fields.end() || at->tag != tag) at = fields.insert(at, {tag, 0});
    at->value = value;
  }
};

class DirectoryReader {
 public:
  DirectoryReader(const ReadAt& read, Content head)
      : read_(read),
        order_(head[0] == std::byte{'I'} ? ByteOrder::little : ByteOrder::big),
        big_(EndianReader(head, order_).u16(2) == big_version) {}

  std::optional<std::uint64_t> first() const { return offset(big_ ? 8 : 4); }

  std::optional<Directory> directory(std::uint64_t at) const {
    const auto count = big_ ? number<std::uint64_t>(at) : number<std::uint16_t>(at);
    if (!count || *count > most_entries) return std::nullopt;
    const std::uint64_t size = big_ ? 20 : 12;
    std::vector<std::byte> bytes(*count * size);
    at += big_ ? 8 : 2;
    if (read_(at, bytes) < bytes.size()) return std::nullopt;
    Directory directory;
    directory.next = offset(at + bytes.size()).value_or(0);
    for (std::uint64_t i = 0; i < *count; ++i)
      add(Content(bytes).subspan(i * size, size), directory);
    return directory;
  }

 private:
  template <class T>
  std::optional<std::uint64_t> number(std::uint64_t at) const {
    std::byte bytes[sizeof(T)];
    if (read_(at, bytes) < sizeof bytes) return std::nullopt;
    return value(bytes, sizeof bytes);
  }
  std::optional<std::uint64_t> offset(std::uint64_t at) const {
    return big_ ? number<std::uint64_t>(at) : number<std::uint32_t>(at);
  }
  std::optional<std::uint64_t> value(Content bytes, std::size_t size) const {
    const EndianReader in(bytes, order_);
    if (size == 1) return std::to_integer<std::uint64_t>(bytes[0]);
    if (size == 2) return in.u16(0);
    if (size == 4) return in.u32(0);
    return in.u64(0);
  }
  static std::size_t size_of(std::uint16_t type) {
    if (type == TIFF_BYTE) return 1;
    if (type == TIFF_SHORT) return 2;
    if (type == TIFF_LONG) return 4;
    return type == TIFF_LONG8 ? 8 : 0;
  }

  void add(Content entry, Directory& directory) const {
    const EndianReader in(entry, order_);
    const std::uint16_t tag = *in.u16(0);
    const std::size_t size = size_of(*in.u16(2));
    const std::uint64_t count = big_ ? *in.u64(4) : *in.u32(4);
    const Content inside = entry.subspan(big_ ? 12 : 8);
    if (size == 0 || count == 0) return;
    std::byte outside[8];
    Content bytes = inside;
    if (count > inside.size() / size) {
      const auto at = value(inside, inside.size());
      if (read_(*at, std::span(outside).first(size)) < size) return;
      bytes = outside;
    }
    const auto first =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(*value(bytes, size), UINT32_MAX));
    constexpr std::uint32_t reduced_or_mask = 1 | 4;
    if (tag == TIFFTAG_SUBFILETYPE) directory.is_page = (first & reduced_or_mask) == 0;
    if (std::ranges::find(wanted, tag) != std::end(wanted)) directory.set(tag, first);
  }

  const ReadAt& read_;
  ByteOrder order_;
  bool big_;
};

void put(std::vector<std::byte>& file, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) file.push_back(static_cast<std::byte>(value >> (8 * i)));
}

/// A TIFF file of the directory alone.
std::vector<std::byte> file_of(Directory directory) {
  // A palette is left out; its colours are those of a picture of three samples of 8 bits.
  if (directory.value(TIFFTAG_PHOTOMETRIC, 0) == PHOTOMETRIC_PALETTE) {
    directory.set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    directory.set(TIFFTAG_SAMPLESPERPIXEL, 3);
    directory.set(TIFFTAG_BITSPERSAMPLE, 8);
  }
  const bool tiled = directory.value(TIFFTAG_TILEWIDTH, 0) != 0;
  directory.set(tiled ? TIFFTAG_TILEOFFSETS : TIFFTAG_STRIPOFFSETS, 8);
  directory.set(tiled ? TIFFTAG_TILEBYTECOUNTS : TIFFTAG_STRIPBYTECOUNTS, 1);

  std::vector<std::byte> file;
  put(file, 0x002A4949, 4);
  put(file, 8, 4);
  put(file, static_cast<std::uint32_t>(directory.fields.size()), 2);
  for (const Field& field : directory.fields) {
    put(file, field.tag, 2);
    put(file, field.value < 0x10000 ? TIFF_SHORT : TIFF_LONG, 2);
    put(file, 1, 4);
    put(file, field.value, 4);
  }
  put(file, directory.next == 0 ? 0 : UINT32_MAX, 4);
  return file;
}

/// Nothing where there is no directory to be read.
std::optional<Directory> first_page(const ReadAt& read, Content head) {
  const DirectoryReader reader(read, head);
  std::optional<Directory> first;
  auto at = reader.first();
  for (int i = 0; i < most_directories && at && *at != 0; ++i) {
    auto directory = reader.directory(*at);
    if (!directory) break;
    if (directory->is_page) return directory;
    at = directory->next;
    if (!first) first = std::move(directory);
  }
  return first;
}

}  // namespace

std::vector<std::byte> read_head(const ReadAt& read) {
  std::vector<std::byte> head(head_size);
  head.resize(read(0, head));
  if (!tiff_codec.recognises(head)) return head;
  auto page = first_page(read, head);
  return page ? file_of(std::move(*page)) : head;
}

}  // namespace millrace::codecs
