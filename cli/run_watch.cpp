// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/run_watch.hpp"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "stages/support/atomic_file.hpp"

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto between_progress = 100ms;
constexpr auto between_notes = 5s;

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// The names of the threads that are at work, not waiting for something of ours.
std::string busy_threads() {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::string name, call;
    std::getline(std::ifstream(task.path() / "comm"), name);
    std::ifstream(task.path() / "syscall") >> call;
    const auto id = task.path().filename().string();
    const bool is_own = id == std::to_string(::syscall(SYS_gettid));
    const bool is_main = id == std::to_string(::getpid());
    if (!is_own && !is_main && call != std::to_string(SYS_futex)) names.insert(name);
  }
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing that can be seen" : text;
}

}  // namespace

void block_signals() {
  const auto set = stop_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

RunWatch::RunWatch(const Shutdown& shutdown, const Progress& progress, Setup setup)
    : shutdown_(shutdown),
      progress_(progress),
      setup_(std::move(setup)),
      start_(Context::Clock::now()),
      sequence_(setup_.shutdown_timeout) {
  const auto set = stop_signals();
  signals_ = Descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  end_ = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!signals_ || !end_) throw std::system_error(errno, std::generic_category(), "signalfd");
  thread_ = std::thread([this] { watch(); });
}

void RunWatch::stop() noexcept {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  while (::write(end_.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
  thread_.join();
}

void RunWatch::watch() {
  ::pthread_setname_np(::pthread_self(), "watch");
  while (wait()) {
    const auto now = Context::Clock::now();
    take_signals(now);
    follow(sequence_.on_time(now));
    show_progress(now);
    say_what_is_left(now);
  }
  erase_progress();
}

/// Until a signal, the next step, the next line, or the end.
bool RunWatch::wait() {
  auto until = sequence_.next();
  const auto now = Context::Clock::now();
  const auto no_later_than = [&](Time time) { until = until ? std::min(*until, time) : time; };
  if (setup_.live) no_later_than(now + between_progress);
  if (followed_ != StopSequence::Step::running) no_later_than(next_note_);
  std::array<pollfd, 2> ready{{{signals_.get(), POLLIN, 0}, {end_.get(), POLLIN, 0}}};
  int timeout = -1;
  if (until)
    timeout = static_cast<int>(std::clamp<std::int64_t>(
        std::chrono::ceil<std::chrono::milliseconds>(*until - now).count(), 0, 60000));
  ::poll(ready.data(), ready.size(), timeout);
  return (ready[1].revents & POLLIN) == 0;
}

void RunWatch::take_signals(Time now) {
  signalfd_siginfo info;
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
    follow(sequence_.on_signal(static_cast<int>(info.ssi_signo), now));
    signal_ = sequence_.signal();
  }
}

void RunWatch::follow(StopSequence::Step step) {
  using Step = StopSequence::Step;
  if (step == followed_) return;
  followed_ = step;
  next_note_ = Context::Clock::now() + between_notes;
  erase_progress();
  if (step == Step::draining) {
    shutdown_.drain();
    const bool at_terminal = sequence_.signal() == SIGINT;
    say(at_terminal ? "millrace: interrupted, stopping"
                    : "millrace: told to end, finishing what is under way");
  } else if (step == Step::cancelled) {
    shutdown_.cancel();
    if (sequence_.signal() != SIGINT) say("millrace: what is under way is cancelled");
  } else if (step == Step::forced) {
    force();
  }
}

void RunWatch::show_progress(Time now) {
  if (!setup_.live) return;
  const std::size_t inputs = progress_.inputs, failed = progress_.failed;
  std::string line =
      inputs == 0 ? "looking for " + setup_.noun + "s"
                  : std::to_string(progress_.ended()) + " of " + counted(inputs, setup_.noun);
  if (failed > 0) line += ", " + std::to_string(failed) + " failed";
  line += ", " + elapsed_text(now - start_);
  // The last column stays free: some terminals go to the next line from there.
  line.resize(std::min(line.size(), terminal_columns() - 1));
  const auto text = "\r\x1b[2K" + line;
  line_shown_ = ::write(STDERR_FILENO, text.data(), text.size()) > 0;
}

void RunWatch::erase_progress() {
  if (!std::exchange(line_shown_, false)) return;
  constexpr std::string_view text = "\r\x1b[2K";
  // A terminal that is gone has no line to erase either.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

void RunWatch::say_what_is_left(Time now) {
  if (followed_ == StopSequence::Step::running || now < next_note_) return;
  next_note_ = now + between_notes;
  erase_progress();
  const std::size_t inputs = progress_.inputs, ended = progress_.ended();
  std::string line = "millrace: stopping, ";
  line += inputs == 0 ? "nothing has ended yet"
                      : counted(inputs - std::min(inputs, ended), setup_.noun) + " of " +
                            std::to_string(inputs) + " not ended";
  if (const auto next = sequence_.next())
    line += (followed_ == StopSequence::Step::draining ? "; cancelled in " : "; forced in ") +
            elapsed_text(*next - now);
  say(line);
}

void RunWatch::force() {
  const auto busy = busy_threads();
  remove_temporaries();
  const std::size_t inputs = progress_.inputs, done = progress_.done;
  say((sequence_.is_interrupt() ? "millrace: ended with work left behind: "
                                : "millrace: forced to end; still at work: ") +
      busy);
  say(counted(inputs, setup_.noun) + ": " + std::to_string(done) + " done, " +
      std::to_string(inputs - std::min(inputs, done)) + " not done");
  ::_exit(sequence_.is_interrupt() ? 128 + SIGINT : int{Exit::forced});
}

}  // namespace millrace::cli
