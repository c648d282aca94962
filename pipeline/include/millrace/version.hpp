// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

namespace millrace::inline v1 {

/// Of the library in use: "1.2.3".
std::string_view version() noexcept;

}  // namespace millrace::inline v1
