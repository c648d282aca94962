// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>

namespace millrace {

/// The library that holds this code; empty where the system does not say.
std::filesystem::path own_library();

/// `millrace` beside that library, here as in an installation, so that a tree can be moved: in it
/// are the folder `plugins` and the programs that the library itself starts. Empty where the system
/// does not say.
std::filesystem::path own_folder();

/// One of the user's folders that the XDG Base Directory Specification knows: what the variable
/// says where that is absolute, or else the one below the home folder; empty where there is none.
std::filesystem::path user_folder(const char* variable, const char* below_home);

}  // namespace millrace
