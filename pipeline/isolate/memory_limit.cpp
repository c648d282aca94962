// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "isolate/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <new>

#include "isolate/segment.hpp"
#include "millrace/error.hpp"

namespace millrace::inline v1 {
namespace {

/// What RLIMIT_DATA counts: private memory that may be written to, however little of it is touched.
std::uint64_t data_bytes() {
  std::ifstream file("/proc/self/statm");
  std::array<std::uint64_t, 6> pages{};  // proc(5): the sixth is data and stack
  for (auto& count : pages) file >> count;
  if (!file) throw Error(ErrorKind::resource, "cannot read /proc/self/statm");
  return pages[5] * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void set_limit(std::uint64_t bytes) {
  struct rlimit limit {};
  ::getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? bytes : std::min(bytes, limit.rlim_max);
  ::setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace

void limit_memory(std::uint64_t bytes) {
  const std::uint64_t most = data_bytes() + bytes;
  set_limit(most);
  // Segments are shared memory, which no limit of the system counts.
  SegmentPool::instance().set_budget([most](std::uint64_t segments) {
    if (segments > most || data_bytes() > most - segments) throw std::bad_alloc();
    set_limit(most - segments);
  });
}

}  // namespace millrace::inline v1
