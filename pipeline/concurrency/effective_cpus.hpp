// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>

#include "concurrency/cgroup.hpp"

namespace millrace::inline v1 {

/// The tightest CPU quota over this process's control group and those above it, in CPUs (0.5 is
/// half of one); none where there is no quota. Version 2 (`cpu.max`) and version 1
/// (`cpu.cfs_quota_us`): kernel documentation, admin-guide/cgroup-v2 and scheduler/sched-bwc.
std::optional<double> cgroup_cpu_quota(const CgroupPaths& paths = {});

/// How many threads of this process can work at once: the CPUs that its affinity allows, and no
/// more than the quota, rounded up. At least 1.
std::size_t effective_cpus(const CgroupPaths& paths = {});

}  // namespace millrace::inline v1
