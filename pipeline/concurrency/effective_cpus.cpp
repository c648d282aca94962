// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/effective_cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace millrace::inline v1 {
namespace {

namespace fs = std::filesystem;

std::optional<double> read_number(const fs::path& file) {
  std::ifstream in(file);
  double number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

std::optional<double> quota_v2(const fs::path& folder) {
  std::ifstream in(folder / "cpu.max");  // "max 100000" or "150000 100000"
  std::string quota;
  double period = 0;
  if (!(in >> quota >> period) || quota == "max" || period <= 0) return std::nullopt;
  return std::strtod(quota.c_str(), nullptr) / period;
}

std::optional<double> quota_v1(const fs::path& folder) {
  const auto quota = read_number(folder / "cpu.cfs_quota_us");  // -1: none
  const auto period = read_number(folder / "cpu.cfs_period_us");
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

/// The group's folder and those above it, to the controller's root. In a container the membership
/// may name a path of the host that is not mounted here; the root is the container's group then.
std::optional<double> tightest(const fs::path& root, std::string_view group,
                               std::optional<double> (*quota)(const fs::path&)) {
  std::optional<double> least;
  fs::path folder = fs::path(group).relative_path();
  while (true) {
    if (const auto here = quota(root / folder); here && *here > 0)
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

std::size_t allowed_cpus() {
  for (int size = 1024; size <= 1 << 20; size *= 2) {  // EINVAL: the kernel knows more CPUs
    cpu_set_t* set = CPU_ALLOC(size);
    if (!set) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(size);
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const int count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (known) return static_cast<std::size_t>(count);
  }
  return std::thread::hardware_concurrency();
}

}  // namespace

std::optional<double> cgroup_cpu_quota(const CgroupPaths& paths) {
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
      found.push_back(tightest(paths.root, group, quota_v2));
    } else if (lists(controllers, "cpu")) {
      found.push_back(tightest(paths.root / controllers, group, quota_v1));
      found.push_back(tightest(paths.root / "cpu", group, quota_v1));
    }
    for (const auto& quota : found)
      if (quota) least = std::min(least.value_or(*quota), *quota);
  }
  return least;
}

std::size_t effective_cpus(const CgroupPaths& paths) {
  std::size_t count = std::max<std::size_t>(allowed_cpus(), 1);
  if (const auto quota = cgroup_cpu_quota(paths))
    count = std::min(count, static_cast<std::size_t>(std::max(std::ceil(*quota), 1.0)));
  return count;
}

}  // namespace millrace::inline v1
