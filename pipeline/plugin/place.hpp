// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>

namespace millrace {

/// `millrace` beside the library that holds this code, here as in an installation, so that a tree
/// can be moved: in it are the folder `plugins` and the programs that the library itself starts.
/// Empty where the system does not say.
std::filesystem::path own_folder();

}  // namespace millrace
