// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/effective_cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

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
  return tightest_in_cgroup(paths, "cpu", quota_v2, quota_v1);
}

std::size_t effective_cpus(const CgroupPaths& paths) {
  std::size_t count = std::max<std::size_t>(allowed_cpus(), 1);
  if (const auto quota = cgroup_cpu_quota(paths))
    count = std::min(count, static_cast<std::size_t>(std::max(std::ceil(*quota), 1.0)));
  return count;
}

}  // namespace millrace::inline v1
