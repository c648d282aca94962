// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "concurrency/cgroup.hpp"
#include "support/catch.hpp"

namespace millrace::test {

/// A control group file system of files, removed at the end.
class FakeCgroup {
 public:
  explicit FakeCgroup(const std::string& membership) {
    std::string name = (std::filesystem::temp_directory_path() / "millrace-cgroup-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    folder_ = name;
    put("membership", membership);
  }
  ~FakeCgroup() { std::filesystem::remove_all(folder_); }

  void put(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }
  CgroupPaths paths() const { return {folder_ / "membership", folder_ / "root"}; }

 private:
  std::filesystem::path folder_;
};

}  // namespace millrace::test
