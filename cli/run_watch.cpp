// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/run_watch.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
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

constexpr auto between_notes = 5s;
constexpr auto between_events = 1s;
constexpr auto between_looks = 5s;  // for a stall

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGTSTP);
  sigaddset(&set, SIGCONT);
  return set;
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

/// Until the program is told to go on.
void stand_still() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTSTP);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(SIGTSTP);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

void block_signals() {
  const auto set = watched_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

RunWatch::RunWatch(const Shutdown& shutdown, const Progress& progress, Live& live, Setup setup)
    : shutdown_(shutdown),
      progress_(progress),
      live_(live),
      setup_(std::move(setup)),
      start_(Context::Clock::now()),
      sequence_(setup_.shutdown_timeout),
      stall_(setup_.stall_after) {
  const auto set = watched_signals();
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
  const auto set = watched_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void RunWatch::watch() {
  ::pthread_setname_np(::pthread_self(), "watch");
  woke_ = start_;
  while (wait()) {
    const auto now = Context::Clock::now();
    take_signals(now);
    follow(sequence_.on_time(now));
    const auto time = run_time();
    live_.show(time);
    tell_events(time);
    say_what_is_left(now);
    say_what_hangs(now);
    woke_ = Context::Clock::now();
  }
  told_ = live_.end();
}

/// Until a signal, the next step, the next line, or the end.
bool RunWatch::wait() {
  auto until = sequence_.next();
  const auto now = Context::Clock::now();
  const auto no_later_than = [&](Time time) { until = until ? std::min(*until, time) : time; };
  no_later_than(next_look_);
  if (const auto next = live_.next()) no_later_than(now + (*next - run_time()));
  if (setup_.events) no_later_than(now + (next_event_ - run_time()));
  if (followed_ != StopSequence::Step::running) no_later_than(next_note_);
  std::array<pollfd, 2> ready{{{signals_.get(), POLLIN, 0}, {end_.get(), POLLIN, 0}}};
  int timeout = -1;
  if (until)
    timeout = static_cast<int>(std::clamp<std::int64_t>(
        std::chrono::ceil<std::chrono::milliseconds>(*until - now).count(), 0, 60000));
  ::poll(ready.data(), ready.size(), timeout);
  return (ready[1].revents & POLLIN) == 0;
}

Duration RunWatch::run_time() const { return Context::Clock::now() - start_ - stopped_; }

void RunWatch::take_signals(Time now) {
  signalfd_siginfo info;
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGTSTP) {
      live_.suspend();
      stand_still();
    } else if (info.ssi_signo == SIGCONT) {
      go_on();
    } else {
      follow(sequence_.on_signal(static_cast<int>(info.ssi_signo), now));
      signal_ = sequence_.signal();
    }
  }
}

/// The time in which the program stood still is nobody's.
void RunWatch::go_on() {
  const auto now = Context::Clock::now();
  stopped_ += now - woke_;
  woke_ = now;
  stall_ = StallWatch(setup_.stall_after);
  live_.resume();
}

void RunWatch::tell_events(Duration time) {
  if (!setup_.events || time < next_event_) return;
  next_event_ = time + between_events;
  const auto now = snapshot_of(progress_, time);
  pace_.add(now);
  setup_.events->progress(now, pace_);
  if (const auto complaint = setup_.events->complaint()) live_.say("millrace: " + *complaint);
}

void RunWatch::follow(StopSequence::Step step) {
  using Step = StopSequence::Step;
  if (step == followed_) return;
  followed_ = step;
  next_note_ = Context::Clock::now() + between_notes;
  live_.stopping();
  if (step == Step::draining) {
    shutdown_.drain();
    const bool at_terminal = sequence_.signal() == SIGINT;
    live_.say(at_terminal ? "millrace: interrupted, stopping"
                          : "millrace: told to end, finishing what is under way");
  } else if (step == Step::cancelled) {
    shutdown_.cancel();
    if (sequence_.signal() != SIGINT) live_.say("millrace: what is under way is cancelled");
  } else if (step == Step::forced) {
    force();
  }
}

void RunWatch::say_what_is_left(Time now) {
  if (followed_ == StopSequence::Step::running || now < next_note_) return;
  next_note_ = now + between_notes;
  const std::size_t inputs = progress_.inputs, ended = progress_.ended();
  std::string line = "millrace: stopping, ";
  line += inputs == 0 ? "nothing has ended yet"
                      : counted(inputs - std::min(inputs, ended), setup_.noun) + " of " +
                            std::to_string(inputs) + " not ended";
  if (const auto next = sequence_.next())
    line += (followed_ == StopSequence::Step::draining ? "; cancelled in " : "; forced in ") +
            elapsed_text(*next - now);
  live_.say(line);
}

void RunWatch::say_what_hangs(Time now) {
  if (now < next_look_) return;
  next_look_ = now + std::min<Duration>(between_looks, setup_.stall_after / 4);
  const auto text = stall_.look(progress_.stages(), now);
  if (!text) return;
  live_.say("millrace: " + *text);
}

void RunWatch::force() {
  const auto stages = progress_.stages();
  remove_temporaries();
  const std::size_t inputs = progress_.inputs, done = progress_.done;
  if (sequence_.is_interrupt())
    live_.say("millrace: ended with work left behind: " + work_left(stages));
  else
    live_.say("millrace: forced to end; still at work: " + work_left(stages) + "\n" +
              describe(stages));
  live_.say(counted(inputs, setup_.noun) + ": " + std::to_string(done) + " done, " +
            std::to_string(inputs - std::min(inputs, done)) + " not done");
  (void)live_.end();
  const int status = sequence_.is_interrupt() ? 128 + SIGINT : int{Exit::forced};
  if (setup_.events) setup_.events->force(snapshot_of(progress_, run_time()), status);
  ::_exit(status);
}

}  // namespace millrace::cli
