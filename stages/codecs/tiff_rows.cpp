// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/tiff_rows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace millrace::codecs {

namespace {

using BitTable = std::array<std::array<std::uint8_t, 8>, 256>;

/// Every byte as eight samples of one bit.
constexpr BitTable spread_bits(std::uint8_t set) {
  BitTable table{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned i = 0; i < 8; ++i)
      table[byte][i] = (byte >> (7 - i) & 1) != 0 ? set : std::uint8_t{0};
  return table;
}

void unpack_bits(const std::uint8_t* packed, int count, std::uint8_t set, std::uint8_t* to) {
  static constexpr BitTable full = spread_bits(255), index = spread_bits(1);
  const BitTable& table = set == 255 ? full : index;
  for (; count >= 8; count -= 8, to += 8) std::memcpy(to, table[*packed++].data(), 8);
  if (count > 0) std::memcpy(to, table[*packed].data(), static_cast<std::size_t>(count));
}

/// `count` samples of `bits` bits, into every `step`th of `to`; `scale`: to the full range of T.
template <class T>
void unpack(const std::uint8_t* packed, int count, int bits, bool scale, int step, T* to) {
  constexpr int whole = std::numeric_limits<T>::digits;
  if (bits == whole && step == 1) {
    std::memcpy(to, packed, static_cast<std::size_t>(count) * sizeof(T));
  } else if (bits == whole) {  // in the machine's byte order already
    for (int i = 0; i < count; ++i, packed += sizeof(T), to += step)
      std::memcpy(to, packed, sizeof(T));
  } else {
    const std::uint32_t top = (1u << bits) - 1, full = scale ? std::numeric_limits<T>::max() : top;
    std::uint32_t held = 0;
    int held_bits = 0;
    for (int i = 0; i < count; ++i, to += step) {
      for (; held_bits < bits; held_bits += 8) held = held << 8 | *packed++;
      held_bits -= bits;
      *to = static_cast<T>(((held >> held_bits & top) * full + top / 2) / top);
    }
  }
}

template <class T>
T divide_by_alpha(T sample, T alpha) {
  if (alpha == 0) return 0;
  const std::uint64_t top = std::numeric_limits<T>::max();
  return static_cast<T>(std::min(top, (sample * top + alpha / 2) / alpha));
}

}  // namespace

int TiffSamples::picture_channels() const {
  if (alpha != TiffAlpha::none) return 4;
  return colour == TiffColour::gray || colour == TiffColour::inverted_gray ? 1 : 3;
}

TiffRows::TiffRows(const TiffSamples& samples, int width,
                   std::vector<std::array<std::uint8_t, 3>> palette,
                   std::optional<CmykConverter> cmyk)
    : samples_(samples), width_(width), palette_(std::move(palette)), cmyk_(std::move(cmyk)) {
  const auto size = static_cast<std::size_t>(width) * samples.per_pixel;
  if (samples.bits > 8)
    wide_.resize(size);
  else
    narrow_.resize(size);
  palette_.resize(samples.colour == TiffColour::palette ? 256 : 0);
}

void TiffRows::put(const std::uint8_t* packed, int x, int count, std::optional<int> plane) {
  const int n = samples_.per_pixel;
  const auto at = static_cast<std::size_t>(x) * n + plane.value_or(0);
  const int values = plane ? count : count * n;
  const int step = plane ? n : 1;
  const bool scale = samples_.colour != TiffColour::palette;
  if (samples_.bits == 1 && step == 1)
    unpack_bits(packed, values, scale ? 255 : 1, narrow_.data() + at);
  else if (samples_.bits > 8)
    unpack(packed, values, samples_.bits, scale, step, wide_.data() + at);
  else
    unpack(packed, values, samples_.bits, scale, step, narrow_.data() + at);
}

void TiffRows::take(std::uint8_t* to) {
  if (samples_.colour == TiffColour::palette)
    look_up(narrow_.data(), to);
  else if (samples_.bits > 8)
    assemble(wide_.data(), reinterpret_cast<std::uint16_t*>(to));
  else
    assemble(narrow_.data(), to);
}

void TiffRows::look_up(const std::uint8_t* from, std::uint8_t* to) const {
  for (int x = 0; x < width_; ++x, from += samples_.per_pixel, to += 3) {
    const auto& [red, green, blue] = palette_[*from];
    to[0] = blue;
    to[1] = green;
    to[2] = red;
  }
}

template <class T>
void TiffRows::assemble(const T* from, T* to) const {
  constexpr T top = std::numeric_limits<T>::max();
  const int n = samples_.per_pixel;
  if (samples_.colour == TiffColour::cmyk) {
    if (n == 4) return cmyk_->convert(from, to, width_);
    for (int x = 0; x < width_; ++x, from += n, to += 3) cmyk_->convert(from, to, 1);
    return;
  }
  const int channels = samples_.picture_channels();
  const bool colour = samples_.colour == TiffColour::rgb;
  const T flip = samples_.colour == TiffColour::inverted_gray ? top : T{0};
  if (channels == 1 && n == 1) {
    for (int x = 0; x < width_; ++x) to[x] = from[x] ^ flip;
    return;
  }
  for (int x = 0; x < width_; ++x, from += n, to += channels) {
    to[0] = from[colour ? 2 : 0] ^ flip;
    if (channels == 1) continue;
    to[1] = from[colour ? 1 : 0] ^ flip;
    to[2] = from[0] ^ flip;
    if (channels == 3) continue;
    to[3] = from[samples_.alpha_index];
    if (samples_.alpha == TiffAlpha::associated)
      for (int c = 0; c < 3; ++c) to[c] = divide_by_alpha(to[c], to[3]);
  }
}

}  // namespace millrace::codecs
