// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "millrace/error.hpp"

namespace millrace::inline v1 {

/// An errno in a user's words: "permission denied", "no space left on the disk".
std::string reason_of(int error);

/// `doing: reason`, of the kind that fits the errno.
Error file_error(std::string_view doing, int error);

}  // namespace millrace::inline v1
