// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

namespace millrace::inline v1 {

/// Whether path `a` comes before `b` as people number things: `page2` before `page10`, capitals
/// beside small letters, a folder's files together. Total: only equal bytes are equivalent.
bool natural_less(std::string_view a, std::string_view b) noexcept;

/// By bytes, a folder's files together.
bool name_less(std::string_view a, std::string_view b) noexcept;

}  // namespace millrace::inline v1
