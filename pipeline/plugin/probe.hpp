// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace millrace {

/// Why a library is not to be opened in this process; none where it can be. One that is not known
/// yet is opened in a process of its own, whose end is waited for (some seconds at most). What came
/// of it is remembered until the library changes, except a reason that may lie elsewhere, such as
/// another library that is missing. [any thread, at once]
std::optional<std::string> why_not_to_open(const std::filesystem::path& library);

/// The same, whatever is remembered.
std::optional<std::string> try_to_open(const std::filesystem::path& library);

}  // namespace millrace
