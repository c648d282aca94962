// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/version.hpp"

namespace millrace::inline v1 {

std::string_view version() noexcept { return MILLRACE_VERSION; }

}  // namespace millrace::inline v1
