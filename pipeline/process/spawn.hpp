// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace millrace::inline v1 {

/// What posix_spawn(3) is told, freed at the end. A program is started with it and not with
/// fork(2): that would make all memory of this process copy-on-write.
struct Spawn {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  Spawn() noexcept;
  ~Spawn();
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  /// The new process; `words` are what its main() gets. Throws std::system_error when it cannot be
  /// started, also when one of `files` cannot be opened. [blocks until the program is loaded]
  pid_t start(const std::string& program, std::vector<std::string> words,
              char* const* environment) const;
};

/// The strings with the null at their end that execve(2) wants, for as long as `strings` live.
std::vector<char*> null_ended(std::vector<std::string>& strings);

}  // namespace millrace::inline v1
