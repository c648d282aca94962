// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// millrace_manifest LIBRARY: opens a plugin's library and writes its manifest beside it.
// millrace_add_plugin() runs it after linking.

#include <cstdio>
#include <exception>

#include "plugin/manifest.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: millrace_manifest LIBRARY\n", stderr);
    return 2;
  }
  const auto file = millrace::manifest_path(argv[1]);
  try {
    std::filesystem::remove(file);  // one of an earlier build must not outlive a failure
    millrace::describe(argv[1]).write(file);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "millrace_manifest: %s\n", error.what());
    return 1;
  }
  return 0;
}
