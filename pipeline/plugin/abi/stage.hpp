// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>

#include "plugin/abi/descriptor.hpp"

namespace millrace::abi {

/// A stage of a C plugin as one of Millrace's own. None of the plugin's code runs for that; it does
/// for Stage::check() and from make_worker() on.
std::unique_ptr<Stage> make_stage(const std::shared_ptr<const StageDescription>& description);

/// Calls a plugin's entry and reads what it returns, as read_plugin() does.
PluginDescription load_plugin(decltype(&millrace_plugin_v1) entry);

}  // namespace millrace::abi
