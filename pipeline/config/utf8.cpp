// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/utf8.hpp"

#include <algorithm>
#include <array>

namespace millrace::inline v1 {
namespace {

struct Range {
  char32_t first, last;
};

constexpr std::array<Range, 8> combining{{{0x0300, 0x036f},
                                          {0x0483, 0x0489},
                                          {0x0591, 0x05bd},
                                          {0x064b, 0x065f},
                                          {0x1ab0, 0x1aff},
                                          {0x20d0, 0x20ff},
                                          {0xfe00, 0xfe0f},
                                          {0xfe20, 0xfe2f}}};
constexpr std::array<Range, 9> wide{{{0x1100, 0x115f},
                                     {0x2e80, 0x303e},
                                     {0x3041, 0xa4cf},
                                     {0xac00, 0xd7a3},
                                     {0xf900, 0xfaff},
                                     {0xfe30, 0xfe6f},
                                     {0xff00, 0xff60},
                                     {0x1f300, 0x1faff},
                                     {0x20000, 0x3fffd}}};
// Odd spaces, zero-width and bidirectional controls, separators, and the byte order mark.
constexpr std::array<Range, 8> unseen{{{0x00a0, 0x00a0},
                                       {0x00ad, 0x00ad},
                                       {0x061c, 0x061c},
                                       {0x200b, 0x200f},
                                       {0x2028, 0x202e},
                                       {0x2060, 0x206f},
                                       {0xfeff, 0xfeff},
                                       {0xe0000, 0xe0fff}}};

template <std::size_t N>
bool is_in(char32_t character, const std::array<Range, N>& ranges) {
  return std::ranges::any_of(
      ranges, [&](const Range& r) { return character >= r.first && character <= r.last; });
}

}  // namespace

CodePoint read_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + size > text.size()) return {};
  char32_t value = lead & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3fu);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < least[size] || surrogate || value > 0x10ffff) return {};
  return {value, size};
}

int display_width(char32_t character) {
  if (is_in(character, combining)) return 0;
  return is_in(character, wide) ? 2 : 1;
}

bool is_unprintable(char32_t character) {
  return character < 0x20 || (character >= 0x7f && character < 0xa0) || is_in(character, unseen);
}

}  // namespace millrace::inline v1
