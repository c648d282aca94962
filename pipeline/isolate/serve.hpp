// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>

namespace millrace::inline v1 {

/// Where the program finds its connection to the run.
inline constexpr int worker_socket = 3;

/// What a terminal or a service manager sends to every process of a run: the run decides.
inline constexpr std::array worker_ignores = {SIGINT, SIGTERM, SIGHUP};

/// The program `millrace_worker`: works for `parent`, another process, until that ends the
/// connection or itself. Its exit status.
int serve(pid_t parent) noexcept;

}  // namespace millrace::inline v1
