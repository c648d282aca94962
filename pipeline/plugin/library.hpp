// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "millrace/catalogue.hpp"

namespace millrace {

/// The stages that a plugin's library registers, or describes by the C interface. The first call
/// for a library opens it, for good: code of it may be on any stack. Throws Error (plugin) with the
/// path and the loader's reason. [any thread, at once]
const std::vector<Catalogue::Entry>& stages_of(const std::filesystem::path& library);

/// Of a plugin in C, the version of the interface that it was built for: "1.0"; empty for one that
/// registers its stages in C++. Opens it, as stages_of() does. [any thread, at once]
const std::string& interface_of(const std::filesystem::path& library);
/// Of a plugin in C, its own version, likewise.
const std::string& version_of(const std::filesystem::path& library);

/// Whether code of a plugin is in this process. [any thread, at once]
bool any_library_opened() noexcept;

}  // namespace millrace
