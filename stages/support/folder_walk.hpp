// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "millrace/context.hpp"
#include "millrace/error.hpp"

namespace millrace::inline v1 {

/// The regular files below a folder. Links are followed; each folder is listed once, under its real
/// name where that is below the root, so that circles of links end. [one thread]
class FolderWalk {
 public:
  struct Rules {
    bool hidden = false;               ///< Names that begin with a dot too.
    std::optional<std::size_t> depth;  ///< 1: the files right in the folder; none: all.
    std::function<bool(std::string_view)> wants_file;
    std::function<bool(std::string_view)> wants_folder;
  };
  struct Failure {
    std::string path;
    Error error;
  };

  FolderWalk(std::filesystem::path root, Rules rules)
      : root_(std::move(root)), rules_(std::move(rules)) {}

  /// Throws Error for the root itself; what else cannot be listed is in failures().
  void run(const Context& context);

  /// Relative to the root, in no order.
  std::vector<std::string>& files() noexcept { return files_; }
  std::vector<Failure>& failures() noexcept { return failures_; }
  std::size_t files_passed_over() const noexcept { return files_passed_over_; }

 private:
  void list(const Context& context, const std::string& folder);
  void take(int folder, const std::string& path, const char* name, unsigned char type);
  void take_file(std::string path);
  void take_folder(std::string path, bool is_link);
  void fail(const std::string& path, Error error);

  std::filesystem::path root_;
  Rules rules_;
  std::vector<std::string> pending_;                    // folders, the next one last
  std::vector<std::string> links_;                      // to folders, for when no real one is left
  std::set<std::pair<std::size_t, std::size_t>> seen_;  // device and inode of listed folders
  std::vector<std::string> files_;
  std::vector<Failure> failures_;
  std::size_t files_passed_over_ = 0;
};

}  // namespace millrace::inline v1
