// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace millrace::codecs {

enum class ByteOrder { little, big };

/// Unsigned numbers in a file's byte order at a position; none beyond the end.
class EndianReader {
 public:
  EndianReader(std::span<const std::byte> bytes, ByteOrder order) : bytes_(bytes), order_(order) {}

  std::size_t size() const noexcept { return bytes_.size(); }
  std::optional<std::uint16_t> u16(std::uint64_t at) const { return read<std::uint16_t>(at); }
  std::optional<std::uint32_t> u32(std::uint64_t at) const { return read<std::uint32_t>(at); }
  std::optional<std::uint64_t> u64(std::uint64_t at) const { return read<std::uint64_t>(at); }

 private:
  template <class T>
  std::optional<T> read(std::uint64_t at) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      const std::size_t from = order_ == ByteOrder::big ? i : sizeof(T) - 1 - i;
      value = value << 8 | std::to_integer<std::uint64_t>(bytes_[at + from]);
    }
    return static_cast<T>(value);
  }

  std::span<const std::byte> bytes_;
  ByteOrder order_;
};

}  // namespace millrace::codecs
