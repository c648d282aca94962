// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// millrace_worker STAGE PARENT: a stage of a run in a process of its own. The run starts it, and
// speaks to it over descriptor 3.

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "isolate/serve.hpp"

int main(int argc, char** argv) {
  pid_t parent = 0;
  if (argc == 3) std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), parent);
  if (parent > 0) {
    const int status = millrace::serve(parent);
    std::fflush(nullptr);
    // The stage is destroyed. What else a plugin does at the end can hold up nobody, and has to do
    // without the memory that a limit denies.
    std::_Exit(status);
  }
  std::fputs("millrace_worker: a run starts this for stages with 'isolate: process'\n", stderr);
  return 2;
}
