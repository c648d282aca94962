// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/manifest.hpp"

namespace millrace {

/// Where plugins are looked for, in this order, each folder once, there or not:
/// those of `$MILLRACE_PLUGIN_PATH` (a colon between two); the user's own,
/// `${XDG_DATA_HOME:-~/.local/share}/millrace/plugins/abi1`; `millrace/plugins` beside Millrace's
/// own library.
std::vector<std::filesystem::path> plugin_folders();

/// A plugin as its files show it, without opening its library.
struct FoundPlugin {
  std::filesystem::path file;  ///< The manifest; the library where that has none.
  Manifest manifest;           ///< As far as it could be read.
  std::string problem;         ///< Why it is left out; empty: it is offered.
};

/// Every plugin in those folders, in their order and in the order of the names.
std::vector<FoundPlugin> list_plugins();

}  // namespace millrace
