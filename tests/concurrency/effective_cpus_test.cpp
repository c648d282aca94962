// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/effective_cpus.hpp"

#include <sched.h>

#include "support/catch.hpp"
#include "support/fake_cgroup.hpp"

using namespace millrace;
using test::FakeCgroup;

TEST_CASE("without a quota the CPUs are those of the affinity", "[cpus]") {
  const FakeCgroup none("");
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  CHECK(effective_cpus(none.paths()) == std::size_t(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(effective_cpus(none.paths()) == 1);
  REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
}

TEST_CASE("the tightest quota from the group up to the root counts", "[cpus]") {
  const FakeCgroup fake("0::/outer/inner\n");
  CHECK_FALSE(cgroup_cpu_quota(fake.paths()));
  fake.put("root/outer/inner/cpu.max", "max 100000\n");
  CHECK_FALSE(cgroup_cpu_quota(fake.paths()));
  fake.put("root/outer/inner/cpu.max", "300000 100000\n");
  CHECK(cgroup_cpu_quota(fake.paths()) == 3.0);
  fake.put("root/outer/cpu.max", "50000 100000\n");
  CHECK(cgroup_cpu_quota(fake.paths()) == 0.5);
  CHECK(effective_cpus(fake.paths()) == 1);
}

TEST_CASE("in a container the root is the group, whatever path the host gives it", "[cpus]") {
  const FakeCgroup fake("0::/../../docker/1234\n");
  fake.put("root/cpu.max", "150000 100000\n");
  CHECK(cgroup_cpu_quota(fake.paths()) == 1.5);
}

TEST_CASE("version 1 quotas are read from the cpu controller's group", "[cpus]") {
  const FakeCgroup fake("5:cpuset:/box\n4:cpu,cpuacct:/box\n1:name=systemd:/box\n");
  fake.put("root/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  fake.put("root/cpu,cpuacct/box/cpu.cfs_quota_us", "-1\n");
  CHECK_FALSE(cgroup_cpu_quota(fake.paths()));
  fake.put("root/cpu,cpuacct/box/cpu.cfs_quota_us", "250000\n");
  CHECK(cgroup_cpu_quota(fake.paths()) == 2.5);
}

TEST_CASE("nonsense in place of a quota is no quota", "[cpus]") {
  const FakeCgroup fake("no colon here\n0::/\n");
  for (const auto* text : {"", "x y\n", "100000 0\n", "0 100000\n", "-5 100000\n"}) {
    fake.put("root/cpu.max", text);
    CHECK_FALSE(cgroup_cpu_quota(fake.paths()));
  }
}
