// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace millrace::testing {
namespace {

void redirect(int stream, const std::string& file, int flags) {
  const int descriptor = ::open(file.c_str(), flags, 0600);
  if (descriptor < 0 || ::dup2(descriptor, stream) < 0) ::_exit(127);
  ::close(descriptor);
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
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  // Until the program is there the child is this one, with Catch2's signal handlers.
  sigset_t all, before;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  process_ = ::fork();
  if (process_ != 0) ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (process_ < 0) throw std::runtime_error("fork");
  if (process_ > 0) return;
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  constexpr int written = O_WRONLY | O_CREAT | O_TRUNC;
  redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
  redirect(STDOUT_FILENO, output.empty() ? streams_ / "out" : output, written);
  redirect(STDERR_FILENO, streams_ / "err", written);
  ::setenv("MILLRACE_PLUGIN_PATH", plugin_folder.c_str(), 1);
  ::setenv("TSAN_OPTIONS", thread_sanitizer_options().c_str(), 1);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (::chdir(folder.c_str()) == 0) ::execv(pointers[0], pointers.data());
  ::_exit(127);
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
