// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/trial.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "millrace/error.hpp"
#include "plugin/place.hpp"
#include "process/spawn.hpp"

namespace millrace {
namespace {

using Clock = std::chrono::steady_clock;

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK) != 0)
      throw Error(ErrorKind::resource, std::string("a pipe: ") + std::strerror(errno));
    // The program's end must wait while this one is slow.
    ::fcntl(ends_[1], F_SETFL, 0);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    ::close(ends_[0]);
    close_write_end();
  }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write_end() {
    if (const int end = std::exchange(ends_[1], -1); end >= 0) ::close(end);
  }

 private:
  std::array<int, 2> ends_{};
};

/// In a process group of its own: Ctrl-C is for the one who started this, and what the plugin
/// starts ends with it.
pid_t spawn(const std::vector<std::string>& arguments, int output, bool quiet) {
  const std::string program = own_folder() / "millrace_probe";
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());

  Spawn with;
  ::posix_spawn_file_actions_adddup2(&with.files, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&with.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (quiet)
    ::posix_spawn_file_actions_addopen(&with.files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  ::posix_spawnattr_setsigmask(&with.attributes, &none);
  ::posix_spawnattr_setsigdefault(&with.attributes, &all);
  ::posix_spawnattr_setpgroup(&with.attributes, 0);
  ::posix_spawnattr_setflags(
      &with.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  try {
    return with.start(program, std::move(words), environ);
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::plugin,
                "cannot be tried: " + program + " does not start: " + error.code().message());
  }
}

/// Cuts what is read into lines; the rest is one too when nothing more comes.
class Lines {
 public:
  Lines(int from, const std::function<void(std::string_view)>& heard)
      : from_(from), heard_(heard) {}

  /// False at the end.
  bool read() {
    std::array<char, 4096> buffer;
    while (true) {
      const auto count = ::read(from_, buffer.data(), buffer.size());
      if (count < 0) return errno == EAGAIN || errno == EINTR;
      if (count == 0) return false;
      rest_.append(buffer.data(), static_cast<std::size_t>(count));
      tell();
    }
  }
  void finish() {
    read();
    if (!rest_.empty()) heard_(rest_);
  }

 private:
  void tell() {
    for (auto end = rest_.find('\n'); end != rest_.npos; end = rest_.find('\n')) {
      heard_(std::string_view(rest_).substr(0, end));
      rest_.erase(0, end + 1);
    }
  }

  int from_;
  const std::function<void(std::string_view)>& heard_;
  std::string rest_;
};

/// Ends the process, and what it started, and reaps it on every way out.
class Process {
 public:
  explicit Process(pid_t id) : id_(id) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() { end(); }

  bool has_ended() const {
    siginfo_t ended{};
    const int failed = ::waitid(P_PID, static_cast<id_t>(id_), &ended, WEXITED | WNOHANG | WNOWAIT);
    return failed != 0 || ended.si_pid == id_;
  }
  /// As of waitpid(2).
  int end() {
    if (std::exchange(ended_, true)) return status_;
    ::kill(-id_, SIGKILL);
    while (::waitpid(id_, &status_, 0) < 0 && errno == EINTR) continue;
    return status_;
  }

 private:
  pid_t id_;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace

bool Trial::by_its_own_fault() const noexcept {
  if (!in_time || !WIFSIGNALED(wait_status)) return true;
  constexpr std::array faults{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP, SIGPIPE};
  return std::ranges::find(faults, WTERMSIG(wait_status)) != faults.end();
}

std::string Trial::how(std::chrono::seconds patience) const {
  if (!in_time) return "does not come back within " + std::to_string(patience.count()) + " s";
  if (WIFEXITED(wait_status))
    return "ends the program (exit status " + std::to_string(WEXITSTATUS(wait_status)) + ")";
  const char* const name = ::sigdescr_np(WTERMSIG(wait_status));
  return "crashes (" + std::string(name != nullptr ? name : "signal") + ")";
}

Trial run_probe(const std::vector<std::string>& arguments, bool quiet,
                std::chrono::seconds patience,
                const std::function<void(std::string_view line)>& heard) {
  Pipe pipe;
  Process process(spawn(arguments, pipe.write_end(), quiet));
  pipe.close_write_end();
  auto deadline = Clock::now() + patience;
  const std::function<void(std::string_view)> renewing = [&](std::string_view line) {
    deadline = Clock::now() + patience;
    heard(line);
  };
  Lines lines(pipe.read_end(), renewing);
  // A look at the process now and then: what the plugin started may keep the pipe open.
  constexpr int between_looks_ms = 20, until_reaped_ms = 1;
  bool open = true;
  while (!process.has_ended()) {
    pollfd readable{open ? pipe.read_end() : -1, POLLIN, 0};
    ::poll(&readable, 1, open ? between_looks_ms : until_reaped_ms);
    if (open) open = lines.read();
    if (Clock::now() > deadline) return {};
  }
  if (open) lines.finish();
  return {true, process.end()};
}

}  // namespace millrace
