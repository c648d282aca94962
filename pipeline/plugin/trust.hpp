// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace millrace {

/// Why what a file or folder says is not to be run as code: somebody else may write it. It has to
/// belong to the user, to root, or to the owner of Millrace's own library, who could change that
/// just as well; and no group but root's and the user's own may write it. None where all is well
/// and where nothing is there. [any thread, at once]
std::optional<std::string> distrust(const std::filesystem::path& path);

/// The same of one whose status is known.
std::optional<std::string> distrust(const std::filesystem::path& path, const struct stat& status);

}  // namespace millrace
