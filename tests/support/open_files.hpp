// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/resource.h>

#include <algorithm>

#include "support/catch.hpp"

namespace millrace::testing {

/// The limit on open files while this lives; no more than the system lets this process have.
class OpenFiles {
 public:
  explicit OpenFiles(rlim_t most) {
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before_) == 0);
    const struct rlimit limit { std::min(most, before_.rlim_max), before_.rlim_max };
    REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  }
  ~OpenFiles() { setrlimit(RLIMIT_NOFILE, &before_); }
  OpenFiles(const OpenFiles&) = delete;
  OpenFiles& operator=(const OpenFiles&) = delete;

 private:
  struct rlimit before_ {};
};

/// Enough for the workers of as many CPUs as machines have.
inline constexpr rlim_t many_open_files = 65536;

}  // namespace millrace::testing
