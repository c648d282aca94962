// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "cli/events.hpp"
#include "cli/live/live.hpp"
#include "cli/stop_sequence.hpp"
#include "millrace/run.hpp"
#include "process/descriptor.hpp"

namespace millrace::cli {

/// Keeps SIGINT, SIGTERM and what Ctrl-Z sends for the watch. Called before the first thread, which
/// inherits it.
void block_signals();

/// Stands beside a run in a thread of its own: takes the signals and ends the run as they ask,
/// keeps what is shown of it up to date, and says while stopping what is left, and what hangs when
/// nothing moves.
class RunWatch {
 public:
  struct Setup {
    Duration shutdown_timeout;
    std::string noun = "item";                       ///< What is counted.
    Duration stall_after = std::chrono::minutes(1);  ///< Without a move: who waits on what is told.
    EventLog* events = nullptr;
  };

  RunWatch(const Shutdown& shutdown, const Progress& progress, Live& live, Setup setup);
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;
  ~RunWatch() { stop(); }

  /// Joins the thread, ends what is shown, and gives the signals back their usual effect. On the
  /// thread that called block_signals().
  void stop() noexcept;
  int signal() const noexcept { return signal_; }  ///< The first one that came; 0: none.
  bool told() const noexcept { return told_; }     ///< By Live::end(), once stopped.

 private:
  using Time = StopSequence::Time;

  void watch();
  bool wait();  // false: stop() was called
  void take_signals(Time now);
  void follow(StopSequence::Step step);
  void go_on();
  Duration run_time() const;
  void tell_events(Duration time);
  void say_what_is_left(Time now);
  void say_what_hangs(Time now);
  [[noreturn]] void force();

  Shutdown shutdown_;
  const Progress& progress_;
  Live& live_;
  Setup setup_;
  Time start_;
  StopSequence sequence_;
  StopSequence::Step followed_ = StopSequence::Step::running;
  Time next_note_{}, next_look_{};
  StallWatch stall_;
  Pace pace_;  // for the events
  Duration next_event_ = std::chrono::seconds(1);
  Duration stopped_{};
  Time woke_{};
  bool told_ = false;
  std::atomic<int> signal_ = 0;
  Descriptor signals_, end_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace millrace::cli
