// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/effective_memory.hpp"

#include <unistd.h>

#include "support/catch.hpp"
#include "support/fake_cgroup.hpp"

using namespace millrace;
using test::FakeCgroup;

TEST_CASE("without a limit the memory is the machine's", "[memory]") {
  const FakeCgroup none("");
  CHECK_FALSE(cgroup_memory_limit(none.paths()));
  CHECK(effective_memory(none.paths()) ==
        std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGESIZE)));
}

TEST_CASE("the tightest memory limit from the group up to the root counts", "[memory]") {
  const FakeCgroup fake("0::/outer/inner\n");
  fake.put("root/outer/inner/memory.max", "max\n");
  CHECK_FALSE(cgroup_memory_limit(fake.paths()));
  fake.put("root/outer/memory.max", "268435456\n");
  CHECK(cgroup_memory_limit(fake.paths()) == 268435456u);
  fake.put("root/outer/inner/memory.max", "134217728\n");
  CHECK(cgroup_memory_limit(fake.paths()) == 134217728u);
  CHECK(effective_memory(fake.paths()) == 134217728u);
}

TEST_CASE("version 1 memory limits are read, and its way to say none", "[memory]") {
  const FakeCgroup fake("4:memory:/box\n1:name=systemd:/box\n");
  fake.put("root/memory/box/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK_FALSE(cgroup_memory_limit(fake.paths()));
  fake.put("root/memory/box/memory.limit_in_bytes", "209715200\n");
  CHECK(cgroup_memory_limit(fake.paths()) == 209715200u);
}

TEST_CASE("a limit that nothing fits into leaves 16 MiB to plan with", "[memory]") {
  const FakeCgroup fake("0::/\n");
  fake.put("root/memory.max", "4096\n");
  CHECK(cgroup_memory_limit(fake.paths()) == 4096u);
  CHECK(effective_memory(fake.paths()) == 16777216u);
}
