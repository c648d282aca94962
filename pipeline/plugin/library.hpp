// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <vector>

#include "millrace/catalogue.hpp"

namespace millrace {

/// The stages that a plugin's library registers. The first call for a library opens it, for good:
/// code of it may be on any stack. Throws Error (plugin) with the path and the loader's reason.
/// [any thread, at once]
const std::vector<Catalogue::Entry>& stages_of(const std::filesystem::path& library);

}  // namespace millrace
