// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>

#include "concurrency/cgroup.hpp"

namespace millrace::inline v1 {

/// The tightest memory limit over this process's control group and those above it, in bytes; none
/// where there is none. Version 2 (`memory.max`) and version 1 (`memory.limit_in_bytes`): kernel
/// documentation, admin-guide/cgroup-v2 and cgroup-v1/memory.
std::optional<std::uint64_t> cgroup_memory_limit(const CgroupPaths& paths = {});

/// How many bytes of memory this process may use: what the machine has, and no more than the limit.
/// Never less than 16 MiB, with which nothing would fit whatever was asked for.
std::uint64_t effective_memory(const CgroupPaths& paths = {});

}  // namespace millrace::inline v1
