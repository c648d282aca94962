// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "millrace/worker_pool.hpp"
#include "support/catch.hpp"

namespace millrace_test {

using Pool = millrace::WorkerPool<int>;

/// For a pool whose workers all do this with each job.
template <class F>
auto all_do(F work) {
  return [work] { return work; };
}

/// Sends the jobs 0, 1, ... and takes them all for accepted.
inline void send(const Pool& pool, int count) {
  const auto jobs = pool.sender();
  for (int i = 0; i < count; ++i)
    REQUIRE(jobs.push(millrace::Context(), int(i)) == millrace::ChannelStatus::ok);
}

}  // namespace millrace_test
