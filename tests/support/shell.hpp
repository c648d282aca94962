// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace millrace::testing {

struct ShellResult {
  int status = 0;  ///< As of waitpid(2): 0 where the command ended with 0.
  std::string out;
};

/// Runs a command line with /bin/sh and waits for its end.
inline ShellResult shell(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot start " + command);
  ShellResult result;
  std::array<char, 4096> buffer;
  while (const auto count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    result.out.append(buffer.data(), count);
  result.status = ::pclose(pipe);
  return result;
}

}  // namespace millrace::testing
