// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::testing {

/// A folder of a test's own, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const noexcept { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

  /// Makes a file, and the folders above it; returns its path.
  std::string file(std::string_view name, std::string_view content = "content") const;

  /// Every name below the folder, by bytes: what a test compares with what it expects to be left.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

std::string content_of(const std::filesystem::path& file);

}  // namespace millrace::testing
