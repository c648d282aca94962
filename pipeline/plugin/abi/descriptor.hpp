// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "millrace/catalogue.hpp"
#include "millrace_plugin.h"
#include "plugin/abi/schema.hpp"

namespace millrace::abi {

/// The minor version of the plugin interface that this host has.
inline constexpr std::uint32_t newest_minor = MR_ABI_NEWEST_MINOR;

/// A stage of a C plugin, looked through.
struct StageDescription {
  std::string name, summary;
  Role role = Role::stage;
  std::vector<PayloadKind> takes;
  std::optional<PayloadKind> gives;
  Load load = Load::cpu;
  bool splits = false;
  std::vector<OptionSpec> options;
  mr_stage c{};  ///< The functions, and the mode; what the plugin's minor does not have is null.
  /// Of a source, where its plugin has that extension.
  std::uint64_t (*memory)(const char* stage, const char* path, const char* file) = nullptr;
};

struct PluginDescription {
  std::string name, version;
  std::uint32_t minor = 0;  ///< Of the interface that it was compiled for.
  std::vector<std::shared_ptr<const StageDescription>> stages;
};

/// What is to be said of a plugin for that version of the interface ("1.0") where this host does
/// not have it; none where it does.
std::optional<std::string> interface_misfit(const std::string& version);

/// Reads what a plugin says of itself. Throws Error (plugin) that says what is wrong and what is
/// allowed. Pointers that are neither null nor valid are beyond it.
PluginDescription read_plugin(const mr_plugin* plugin);

}  // namespace millrace::abi
