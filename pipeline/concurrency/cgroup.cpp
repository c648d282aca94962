// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace millrace::inline v1 {
namespace {

namespace fs = std::filesystem;

/// The group's folder and those above it, to the controller's root. In a container the membership
/// may name a path of the host that is not mounted here; the root is the container's group then.
std::optional<double> tightest(const fs::path& root, std::string_view group, CgroupLimit limit) {
  std::optional<double> least;
  fs::path folder = fs::path(group).relative_path();
  while (true) {
    if (const auto here = limit(root / folder); here && *here > 0)
      least = std::min(least.value_or(*here), *here);
    if (folder.empty()) return least;
    folder = folder.parent_path();
  }
}

bool lists(std::string_view controllers, std::string_view wanted) {
  for (std::size_t at = 0; at <= controllers.size();) {
    const auto end = std::min(controllers.find(',', at), controllers.size());
    if (controllers.substr(at, end - at) == wanted) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

std::optional<double> tightest_in_cgroup(const CgroupPaths& paths, std::string_view controller,
                                         CgroupLimit v2, CgroupLimit v1) {
  std::optional<double> least;
  std::ifstream in(paths.membership);
  for (std::string line; std::getline(in, line);) {  // hierarchy:controllers:group
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    std::vector<std::optional<double>> found;
    if (controllers.empty()) {
      found.push_back(tightest(paths.root, group, v2));
    } else if (lists(controllers, controller)) {
      found.push_back(tightest(paths.root / controllers, group, v1));
      found.push_back(tightest(paths.root / controller, group, v1));
    }
    for (const auto& limit : found)
      if (limit) least = std::min(least.value_or(*limit), *limit);
  }
  return least;
}

}  // namespace millrace::inline v1
