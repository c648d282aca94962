// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace millrace {

/// What tells a library from any other and from itself before it was changed: its path, inode,
/// size and time, and those of Millrace's own. Empty where it is not there.
std::string identity_of(const std::filesystem::path& library);

/// Why a library of this identity could not be opened, empty where it could; none where that is
/// not known. Kept in `${XDG_CACHE_HOME:-~/.cache}/millrace/plugins`, and believed only where
/// nobody else may write there. [any thread, at once]
std::optional<std::string> remembered_trial(const std::string& identity);

/// Written whole or not at all; what cannot be written is not remembered.
void remember_trial(const std::string& identity, const std::string& reason) noexcept;

}  // namespace millrace
