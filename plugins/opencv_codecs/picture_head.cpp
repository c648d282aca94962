// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "picture_head.hpp"

#include <cctype>
#include <cstdlib>
#include <string_view>

#include "millrace/error.hpp"

namespace millrace::opencv_codecs {
namespace {

using File = std::span<const std::byte>;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::input, why); }

std::uint32_t at(File file, std::size_t offset) {
  if (offset >= file.size()) refuse("is truncated: it ends within its header");
  return std::to_integer<std::uint32_t>(file[offset]);
}
std::uint32_t little(File file, std::size_t offset, int bytes) {
  std::uint32_t value = 0;
  for (int i = bytes; i-- > 0;) value = value << 8 | at(file, offset + static_cast<std::size_t>(i));
  return value;
}
std::uint32_t big(File file, std::size_t offset, int bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value = value << 8 | at(file, offset + static_cast<std::size_t>(i));
  return value;
}

bool starts_with(File file, std::string_view magic) {
  if (file.size() < magic.size()) return false;
  return std::string_view(reinterpret_cast<const char*>(file.data()), magic.size()) == magic;
}

/// A text may begin with "BM" too: the rest of the header must make sense.
std::optional<PictureHead> bmp(File file) {
  constexpr std::size_t info = 14;
  if (!starts_with(file, "BM") || file.size() < info + 12 || little(file, 6, 4) != 0) return {};
  PictureHead head{.format = "bmp"};
  const std::uint32_t length = little(file, info, 4);
  if (length == 12) {
    head.width = little(file, info + 4, 2);
    head.height = little(file, info + 6, 2);
    return head;
  }
  if (length < 40 || length > 4096) return {};
  head.width = static_cast<std::int32_t>(little(file, info + 4, 4));
  head.height = std::abs(std::int64_t{static_cast<std::int32_t>(little(file, info + 8, 4))});
  constexpr double metres_per_inch = 0.0254;
  const std::uint32_t across = little(file, info + 24, 4), down = little(file, info + 28, 4);
  if (across != 0 && down != 0)
    head.resolution = Resolution{across * metres_per_inch, down * metres_per_inch};
  return head;
}

void check_depth(std::uint32_t bits) {
  if (bits != 8 && bits != 16)
    refuse("has " + std::to_string(bits) + " bits per sample; JPEG 2000 is read with 8 or 16");
}

/// The SIZ marker segment of a codestream, annex A.5.1.
void read_codestream(File stream, PictureHead& head) {
  if (!starts_with(stream, "\xFF\x4F\xFF\x51")) refuse("has no JPEG 2000 codestream");
  head.width = std::int64_t{big(stream, 8, 4)} - big(stream, 16, 4);
  head.height = std::int64_t{big(stream, 12, 4)} - big(stream, 20, 4);
  check_depth((big(stream, 42, 1) & 0x7F) + 1);
}

/// A colour specification box, annex I.5.3.3: method 2 and 3 hold an ICC profile.
void read_colour(File box, PictureHead& head) {
  const std::uint32_t method = big(box, 0, 1);
  if ((method == 2 || method == 3) && box.size() > 3)
    head.icc_profile = std::make_shared<const std::vector<std::byte>>(box.begin() + 3, box.end());
}

/// Boxes, annex I.4: a length of 4 bytes (1: 8 more bytes of it; 0: to the end), a type, content.
void read_boxes(File file, PictureHead& head) {
  while (file.size() >= 8) {
    std::uint64_t length = big(file, 0, 4), start = 8;
    const std::uint32_t type = big(file, 4, 4);
    if (length == 1) {
      length = std::uint64_t{big(file, 8, 4)} << 32 | big(file, 12, 4);
      start = 16;
    }
    if (length == 0 || length > file.size()) length = file.size();  // a broken one is the decoder's
    if (length < start) refuse("has a JPEG 2000 box of an impossible length");
    const File content = file.subspan(start, length - start);
    if (type == 0x6A703268) read_boxes(content, head);              // jp2h
    if (type == 0x636F6C72) read_colour(content, head);             // colr
    if (type == 0x6A703263) return read_codestream(content, head);  // jp2c
    file = file.subspan(length);
  }
}

std::optional<PictureHead> jpeg2000(File file) {
  PictureHead head{.format = "jp2"};
  constexpr std::string_view box("\0\0\0\x0CjP  ", 8);
  if (starts_with(file, box))
    read_boxes(file, head);
  else if (starts_with(file, "\xFF\x4F\xFF\x51"))
    read_codestream(file, head);
  else
    return {};
  return head;
}

/// The numbers of a netpbm header: decimal, apart by white space, `#` begins a comment.
class Numbers {
 public:
  explicit Numbers(File file) : file_(file) {}

  std::int64_t next() {
    char c = get();
    while (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '#') {
      if (c == '#')
        while (c != '\n' && c != '\r') c = get();
      c = get();
    }
    std::int64_t value = 0;
    for (; c >= '0' && c <= '9'; c = get()) {
      value = value * 10 + (c - '0');
      if (value > INT32_MAX) refuse("has an impossible number in its header");
    }
    if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '#')
      refuse("has a header that is no netpbm header");
    return value;
  }

 private:
  char get() { return static_cast<char>(at(file_, where_++)); }

  File file_;
  std::size_t where_ = 2;
};

std::optional<PictureHead> netpbm(File file) {
  if (file.size() < 3 || std::to_integer<char>(file[0]) != 'P') return {};
  const int kind = std::to_integer<char>(file[1]) - '0';
  const auto third = std::to_integer<unsigned char>(file[2]);
  if (kind < 1 || kind > 6 || (std::isspace(third) == 0 && third != '#')) return {};
  PictureHead head{.format = "pnm"};
  Numbers numbers(file);
  head.width = numbers.next();
  head.height = numbers.next();
  if (kind == 1 || kind == 4) return head;
  const std::int64_t maximum = numbers.next();
  if (maximum < 1 || maximum > 65535) refuse("has a largest sample outside 1..65535");
  const bool full = maximum == 255 || maximum == 65535;
  const bool scaled = kind <= 3 && maximum < 255;  // the plain ones, by imgcodecs 4.6
  if (!full && !scaled) head.unscaled_maximum = static_cast<std::uint32_t>(maximum);
  return head;
}

}  // namespace

std::optional<PictureHead> read_head(File file) {
  for (const auto read : {bmp, jpeg2000, netpbm})
    if (auto head = read(file)) {
      if (head->width < 1 || head->height < 1) refuse("has no pixels, by its header");
      return head;
    }
  return {};
}

}  // namespace millrace::opencv_codecs
