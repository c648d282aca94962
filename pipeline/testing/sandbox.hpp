// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace millrace::inline v1 {

/// A temporary folder that stands for the whole disk where a test's sinks write; removed with all
/// that is in it.
class Sandbox {
 public:
  Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  ~Sandbox();

  /// The template of a path in here that stands for one on the disk.
  std::string inside(const std::string& path_template) const;
  /// A message with the paths that the file means.
  std::string as_written(std::string message) const;
  /// Every file, as the pipeline would have called it, by name.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace millrace::inline v1
