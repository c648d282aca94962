// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/foreign.hpp"

#include <algorithm>
#include <cctype>

namespace millrace::codecs {

namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  std::string_view name;
};

constexpr Signature signatures[] = {
    {"GIF8"sv, "GIF"},
    {"%PDF-"sv, "PDF"},
    {"\0\0\0\x0CjP  "sv, "JPEG 2000"},
    {"\xFF\x4F\xFF\x51"sv, "JPEG 2000"},
    {"\0\0\0\x0CJXL "sv, "JPEG XL"},
    {"\xFF\x0A"sv, "JPEG XL"},
    {"8BPS"sv, "Photoshop"},
    {"\0\0\1\0"sv, "ICO"},
    {"PK\3\4"sv, "ZIP"},
    {"\x1F\x8B"sv, "gzip"},
    {"%!PS"sv, "PostScript"},
    {"AT&TFORM"sv, "DjVu"},
    {"BM"sv, "BMP"},
};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// ISO/IEC 14496-12: a file type box names its brands.
std::string_view media_brand(std::string_view start) {
  if (start.size() < 12 || start.substr(4, 4) != "ftyp") return {};
  const auto brand = start.substr(8, 4);
  if (brand == "avif" || brand == "avis") return "AVIF";
  for (const auto heif : {"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"})
    if (brand == heif) return "HEIF";
  return "a video";
}

std::string_view markup(std::string_view start) {
  const auto first = start.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == start.npos || start[first] != '<') return {};
  const std::string text = lower(start.substr(first));
  if (text.find("<svg") != text.npos) return "SVG";
  if (text.starts_with("<!doctype html") || text.find("<html") != text.npos) return "HTML";
  return text.starts_with("<?xml") ? "XML" : "";
}

bool is_text(std::string_view start) {
  constexpr std::size_t enough = 8;
  return start.size() >= enough && std::ranges::all_of(start, [](unsigned char c) {
           return c >= 0x20 ? c != 0x7F : c == '\n' || c == '\r' || c == '\t' || c == '\f';
         });
}

}  // namespace

std::string foreign_format(Content file) {
  const std::string_view start(reinterpret_cast<const char*>(file.data()),
                               std::min<std::size_t>(file.size(), 1024));
  // Text that happens to begin with a short signature is text; SVG and HTML are text too.
  if (const auto name = markup(start); !name.empty()) return std::string(name);
  const bool text = is_text(start);
  for (const auto& [bytes, name] : signatures)
    if (start.starts_with(bytes) && (bytes.size() > 3 || !text)) return std::string(name);
  if (const auto name = media_brand(start); !name.empty()) return std::string(name);
  return text ? "text" : "";
}

std::span<const std::string_view> foreign_extensions() noexcept {
  static constexpr std::string_view known[] = {"avif", "bmp", "gif", "heic", "heif", "ico",
                                               "j2k",  "jp2", "jpx", "jxl",  "pbm",  "pdf",
                                               "pgm",  "pnm", "ppm", "psd",  "svg"};
  return known;
}

bool is_foreign_extension(std::string_view extension) noexcept {
  return std::ranges::any_of(foreign_extensions(), [extension](std::string_view name) {
    return std::ranges::equal(name, extension, {}, {},
                              [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  });
}

}  // namespace millrace::codecs
