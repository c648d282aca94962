// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/effective_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace millrace::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t least = std::uint64_t{16} << 20;
constexpr std::uint64_t assumed = std::uint64_t{1} << 30;  // where the system does not tell

std::optional<double> read_bytes(const fs::path& file) {
  std::ifstream in(file);
  double bytes = 0;
  return in >> bytes ? std::optional(bytes) : std::nullopt;  // "max" is no number
}

std::uint64_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return assumed;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
}

}  // namespace

std::optional<std::uint64_t> cgroup_memory_limit(const CgroupPaths& paths) {
  const auto limit = tightest_in_cgroup(
      paths, "memory", [](const fs::path& folder) { return read_bytes(folder / "memory.max"); },
      [](const fs::path& folder) { return read_bytes(folder / "memory.limit_in_bytes"); });
  // Version 1 says "no limit" by the largest number of pages there is, near 2^63 bytes.
  if (!limit || *limit >= 0x1p62) return std::nullopt;
  return static_cast<std::uint64_t>(*limit);
}

std::uint64_t effective_memory(const CgroupPaths& paths) {
  std::uint64_t bytes = physical_memory();
  if (const auto limit = cgroup_memory_limit(paths)) bytes = std::min(bytes, *limit);
  return std::max(bytes, least);
}

}  // namespace millrace::inline v1
