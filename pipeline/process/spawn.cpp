// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "process/spawn.hpp"

#include <system_error>

namespace millrace::inline v1 {

Spawn::Spawn() noexcept {
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
}

Spawn::~Spawn() {
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
}

pid_t Spawn::start(const std::string& program, std::vector<std::string> words,
                   char* const* environment) const {
  pid_t process = 0;
  const int failed = ::posix_spawn(&process, program.c_str(), &files, &attributes,
                                   null_ended(words).data(), environment);
  if (failed != 0) throw std::system_error(failed, std::generic_category(), program);
  return process;
}

std::vector<char*> null_ended(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (auto& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace millrace::inline v1
