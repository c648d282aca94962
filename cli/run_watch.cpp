// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/run_watch.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
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
constexpr auto between_looks = 5s;  // for a stall

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

/// The stages that work, with how many items each.
std::string work_left(const std::vector<StageState>& stages) {
  std::string text;
  for (const auto& stage : stages)
    if (!stage.working.empty())
      text +=
          (text.empty() ? "" : ", ") + stage.id + " on " + counted(stage.working.size(), "item");
  return text.empty() ? "nothing that can be seen" : text;
}

/// A reader that does not read must not keep the watch from the signals: what standard error has no
/// room for now is left out.
bool has_room() {
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  return ::poll(&ready, 1, 0) != 0;  // an error is the write's to meet
}

void tell(std::string_view text) {
  while (!text.empty() && has_room()) {
    const auto end = text.find('\n');
    say(text.substr(0, std::min<std::size_t>(end, PIPE_BUF - 1)));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
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
      sequence_(setup_.shutdown_timeout),
      stall_(setup_.stall_after) {
  const auto set = stop_signals();
  signals_ = Descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  end_ = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!signals_ || !end_) throw std::system_error(errno, std::generic_category(), "signalfd");
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::resource,
                "cannot start a thread for the signals: " + error.code().message());
  }
}

void RunWatch::stop() noexcept {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  while (::write(end_.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
  thread_.join();
  // Nobody looks any more: from here on a signal ends the program, which has only to say how it
  // went. Those that came with the last one the watch took have had their effect.
  signalfd_siginfo info;
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
  }
  const auto set = stop_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void RunWatch::watch() {
  ::pthread_setname_np(::pthread_self(), "watch");
  while (wait()) {
    const auto now = Context::Clock::now();
    take_signals(now);
    follow(sequence_.on_time(now));
    show_progress(now);
    say_what_is_left(now);
    say_what_hangs(now);
  }
  erase_progress();
}

/// Until a signal, the next step, the next line, or the end.
bool RunWatch::wait() {
  auto until = sequence_.next();
  const auto now = Context::Clock::now();
  const auto no_later_than = [&](Time time) { until = until ? std::min(*until, time) : time; };
  no_later_than(next_look_);
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
    tell(at_terminal ? "millrace: interrupted, stopping"
                     : "millrace: told to end, finishing what is under way");
  } else if (step == Step::cancelled) {
    shutdown_.cancel();
    if (sequence_.signal() != SIGINT) tell("millrace: what is under way is cancelled");
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
  line_shown_ = has_room() && ::write(STDERR_FILENO, text.data(), text.size()) > 0;
}

void RunWatch::erase_progress() {
  if (!std::exchange(line_shown_, false)) return;
  constexpr std::string_view text = "\r\x1b[2K";
  if (!has_room()) return;
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
  tell(line);
}

void RunWatch::say_what_hangs(Time now) {
  if (now < next_look_) return;
  next_look_ = now + std::min<Duration>(between_looks, setup_.stall_after / 4);
  const auto text = stall_.look(progress_.stages(), now);
  if (!text) return;
  erase_progress();
  tell("millrace: " + *text);
}

void RunWatch::force() {
  const auto stages = progress_.stages();
  remove_temporaries();
  const std::size_t inputs = progress_.inputs, done = progress_.done;
  if (sequence_.is_interrupt())
    tell("millrace: ended with work left behind: " + work_left(stages));
  else
    tell("millrace: forced to end; still at work: " + work_left(stages) + "\n" + describe(stages));
  tell(counted(inputs, setup_.noun) + ": " + std::to_string(done) + " done, " +
       std::to_string(inputs - std::min(inputs, done)) + " not done");
  ::_exit(sequence_.is_interrupt() ? 128 + SIGINT : int{Exit::forced});
}

}  // namespace millrace::cli
