// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "millrace/item.hpp"

namespace millrace::inline v1 {

/// Every page. Throws Error (input).
std::vector<Image> decode_pictures(const Bytes& bytes);

/// Throws Error (input) where the extension names no format that keeps every pixel.
Bytes encode_picture(const Image& image, const std::string& extension);

/// Throws Error.
Bytes read_file(const std::filesystem::path& file);
/// Makes the folders above it; replaces what is there. Throws Error.
void write_file(const std::filesystem::path& file, const Bytes& bytes);

Bytes bytes_of(std::string_view text, std::string extension);
std::string_view text_of(const Bytes& bytes) noexcept;

}  // namespace millrace::inline v1
