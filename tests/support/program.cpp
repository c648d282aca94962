// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "process/spawn.hpp"

namespace millrace::testing {
namespace {

/// This program's environment, but for `changes` ("NAME=value").
std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  const auto name = [](const std::string& variable) {
    return std::string_view(variable).substr(0, variable.find('='));
  };
  std::vector<std::string> variables = changes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string variable = *entry;
    const auto same = [&](const auto& change) { return name(change) == name(variable); };
    if (std::ranges::none_of(changes, same)) variables.push_back(std::move(variable));
  }
  return variables;
}

}  // namespace

std::string thread_sanitizer_options() {
  const char* const options = std::getenv("TSAN_OPTIONS");
  return (options ? options : "") + std::string(" report_thread_leaks=0");
}

Program::Program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                 const std::string& plugin_folder, const std::string& output) {
  std::vector<std::string> words = {MILLRACE_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto variables = environment_with(
      {"MILLRACE_PLUGIN_PATH=" + plugin_folder, "TSAN_OPTIONS=" + thread_sanitizer_options()});

  Spawn with;
  constexpr int written = O_WRONLY | O_CREAT | O_TRUNC;
  const std::string out = output.empty() ? streams_ / "out" : output, err = streams_ / "err";
  ::posix_spawn_file_actions_addopen(&with.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&with.files, STDOUT_FILENO, out.c_str(), written, 0600);
  ::posix_spawn_file_actions_addopen(&with.files, STDERR_FILENO, err.c_str(), written, 0600);
  ::posix_spawn_file_actions_addchdir_np(&with.files, folder.c_str());
  sigset_t all;  // Catch2 has handlers
  ::sigfillset(&all);
  ::posix_spawnattr_setsigdefault(&with.attributes, &all);
  ::posix_spawnattr_setflags(&with.attributes, POSIX_SPAWN_SETSIGDEF);
  process_ = with.start(MILLRACE_BINARY, std::move(words), null_ended(variables).data());
}

Program::~Program() {
  if (has_ended()) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, &wait_status_, 0);
}

void Program::send(int signal) const { ::kill(process_, signal); }

std::string Program::said(std::string_view stream) const {
  const auto file = streams_ / stream;
  return std::filesystem::exists(file) ? content_of(file) : std::string();
}

bool Program::has_ended() {
  if (!reaped_) reaped_ = ::waitpid(process_, &wait_status_, WNOHANG) == process_;
  return reaped_;
}

Program::Ended Program::wait(std::chrono::seconds limit) {
  if (!eventually([this] { return has_ended(); }, limit))
    throw std::runtime_error("the program did not end; it said: " + err());
  const int status =
      WIFSIGNALED(wait_status_) ? 128 + WTERMSIG(wait_status_) : WEXITSTATUS(wait_status_);
  return {status, said("out"), err()};
}

}  // namespace millrace::testing
