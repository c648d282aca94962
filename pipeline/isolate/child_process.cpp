// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "isolate/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "isolate/serve.hpp"
#include "millrace/error.hpp"
#include "plugin/place.hpp"
#include "process/spawn.hpp"

namespace millrace::inline v1 {
namespace {

/// What the program gets from this process besides its environment.
void inherit(Spawn& with, int socket) {
  ::posix_spawn_file_actions_addopen(&with.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  // What a stage prints does not belong into what Millrace prints.
  ::posix_spawn_file_actions_adddup2(&with.files, STDERR_FILENO, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&with.files, socket, worker_socket);
  ::posix_spawn_file_actions_addclosefrom_np(&with.files, worker_socket + 1);
  // A signal of the terminal must find it neither before it ignores them nor blocked for ever.
  sigset_t mask;
  sigemptyset(&mask);
  for (const int signal : worker_ignores) sigaddset(&mask, signal);
  ::posix_spawnattr_setsigmask(&with.attributes, &mask);
  ::posix_spawnattr_setflags(&with.attributes, POSIX_SPAWN_SETSIGMASK);
}

}  // namespace

std::string ChildProcess::program() { return (own_folder() / "millrace_worker").string(); }

ChildProcess::ChildProcess(const std::string& title, int socket) {
  Spawn with;
  inherit(with, socket);
  try {
    process_ =
        with.start(program(), {"millrace_worker", title, std::to_string(::getpid())}, environ);
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::resource, "cannot start " + program() + ": " + error.code().message());
  }
  // glibc 2.36 declares its pidfd_open() for C alone.
  watched_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
  if (watched_) return;
  const std::string reason = std::strerror(errno);
  end();
  throw Error(ErrorKind::resource, "cannot watch a process: " + reason);
}

std::optional<int> ChildProcess::wait_for(std::chrono::milliseconds time) noexcept {
  if (status_) return status_;
  pollfd watched{watched_.get(), POLLIN, 0};
  const auto until = std::chrono::steady_clock::now() + time;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    const int ready = ::poll(&watched, 1, std::max(0, static_cast<int>(left.count())));
    if (ready > 0) return end();
    if (ready == 0 || errno != EINTR) return std::nullopt;
  }
}

int ChildProcess::end() noexcept {
  if (status_) return *status_;
  ::kill(process_, SIGKILL);  // not reaped, so the number is nobody else's; no harm to what ended
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = status;
  watched_.close();
  return status;
}

std::string ending_text(int wait_status) {
  if (!WIFSIGNALED(wait_status))
    return "ended with status " + std::to_string(WEXITSTATUS(wait_status));
  const int signal = WTERMSIG(wait_status);
  const char* const name = ::sigabbrev_np(signal);
  std::string text = "was ended by signal " + std::to_string(signal);
  if (name) text += std::string(" (SIG") + name + ")";
  return signal == SIGKILL ? text + ", as the system does where memory runs out" : text;
}

}  // namespace millrace::inline v1
