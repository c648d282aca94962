// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace millrace::codecs {

/// Reads a piece of a file; the number of bytes that were there.
using ReadAt = std::function<std::size_t(std::uint64_t offset, std::span<std::byte> to)>;

constexpr std::size_t head_size = 64 << 10;

/// As much of a file as a Reader's header() and need() look at: its first 64 KiB. A TIFF file's
/// directory may lie anywhere; of such a file it is a small one with the fields of its first page
/// that describe its pixels (and no pixels), followed by a broken page where there are more.
std::vector<std::byte> read_head(const ReadAt& read);

}  // namespace millrace::codecs
