// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace millrace::inline v1 {

/// Where Linux tells a process's control group.
struct CgroupPaths {
  std::filesystem::path membership = "/proc/self/cgroup";
  std::filesystem::path root = "/sys/fs/cgroup";
};

/// Reads a limit in the folder of one control group; none where that group has none.
using CgroupLimit = std::optional<double> (*)(const std::filesystem::path& folder);

/// The tightest limit over this process's control group and those above it; none where there is no
/// limit. `v2` reads it in the one hierarchy of version 2, `v1` in that of the controller.
std::optional<double> tightest_in_cgroup(const CgroupPaths& paths, std::string_view controller,
                                         CgroupLimit v2, CgroupLimit v1);

}  // namespace millrace::inline v1
