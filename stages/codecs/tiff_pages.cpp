// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/codecs/tiff_pages.hpp"

#include <unordered_set>

#include "stages/codecs/endian.hpp"

namespace millrace::codecs {

namespace {

constexpr std::uint16_t big_version = 43;
constexpr std::uint16_t tag_subfile_type = 254;
constexpr std::uint32_t reduced_or_mask = 1 | 4;

/// The widths that differ between TIFF and BigTIFF.
struct Chain {
  EndianReader in;
  bool big;

  std::optional<std::uint64_t> first() const { return offset(big ? 8 : 4); }
  std::optional<std::uint64_t> offset(std::uint64_t at) const {
    if (big) return in.u64(at);
    return in.u32(at);
  }
  std::optional<std::uint64_t> entries(std::uint64_t directory) const {
    if (big) return in.u64(directory);
    return in.u16(directory);
  }
  std::uint64_t entry(std::uint64_t directory, std::uint64_t index) const {
    return directory + (big ? 8 : 2) + index * (big ? 20 : 12);
  }
  bool is_page(std::uint64_t directory, std::uint64_t count) const {
    for (std::uint64_t i = 0; i < count; ++i)
      if (const auto at = entry(directory, i); in.u16(at) == tag_subfile_type)
        return (in.u32(at + (big ? 12 : 8)).value_or(0) & reduced_or_mask) == 0;
    return true;
  }
};

}  // namespace

TiffPages find_tiff_pages(Content file) {
  const auto order = file[0] == std::byte{'I'} ? ByteOrder::little : ByteOrder::big;
  const EndianReader in(file, order);
  const Chain chain{in, in.u16(2) == big_version};
  TiffPages pages;
  std::vector<std::uint64_t> others;
  std::unordered_set<std::uint64_t> seen;
  auto directory = chain.first();
  while (directory && *directory != 0) {
    if (!seen.insert(*directory).second) {
      pages.broken = "corrupt: its list of pages runs in a circle";
      break;
    }
    const auto count = chain.entries(*directory);
    // No more entries than fit, whatever the count says: the sums below cannot overflow.
    if (!count || *count > file.size() / 12) {
      pages.broken = "truncated: a page's directory lies at byte " + std::to_string(*directory) +
                     " of " + std::to_string(file.size());
      break;
    }
    (chain.is_page(*directory, *count) ? pages.offsets : others).push_back(*directory);
    directory = chain.offset(chain.entry(*directory, *count));
    if (!directory) pages.broken = "truncated: ends within a page's directory";
  }
  if (!directory && seen.empty()) pages.broken = "truncated: ends within its header";
  if (pages.offsets.empty()) pages.offsets = std::move(others);
  return pages;
}

}  // namespace millrace::codecs
