// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <string>

#include "millrace/version.hpp"
#include "support/temporary_folder.hpp"

namespace millrace::testing {

/// A folder of plugins that MILLRACE_PLUGIN_PATH names while this lives.
class PluginFolder {
 public:
  PluginFolder();
  ~PluginFolder();

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { folder_.file(name, text); }

  /// A copy, so that it is not the library that another test has opened.
  void copy(const std::filesystem::path& library) const;

  /// The manifest of a library (in this folder or elsewhere) that promises one stage.
  void manifest(const std::string& library, const std::string& stage,
                const std::string& built_for = std::string(version())) const;

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

/// Whether the file is mapped into this process.
bool is_open(const std::filesystem::path& library);

}  // namespace millrace::testing
