// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "stages/codecs/codec.hpp"

namespace millrace::codecs {

/// What a file that no codec reads looks like ("GIF", "HTML", "text"); empty where that is unknown.
std::string foreign_format(Content file);

/// Extensions of formats with pictures in them that no codec of ours knows: "avif", "bmp", ...
std::span<const std::string_view> foreign_extensions() noexcept;

/// True for extensions of picture formats that are not written ("bmp", "gif"), in any case.
bool is_foreign_extension(std::string_view extension) noexcept;

}  // namespace millrace::codecs
