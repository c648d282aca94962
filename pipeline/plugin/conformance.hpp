// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace millrace {

/// Where a conformance test tells what it does, so that the one who reads it knows what was under
/// way when it ended by a crash.
struct CheckLog {
  std::function<void(const std::string& check)> begun;
  std::function<void()> passed;
  std::function<void(const std::string&why)> skipped, failed;
};

/// Opens a plugin's library in this process and does with its stages what the engine may do with
/// them, and more often. True where no check failed.
bool check_plugin(const std::filesystem::path& library, const CheckLog& log);

}  // namespace millrace
