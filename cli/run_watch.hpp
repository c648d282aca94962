// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "cli/stop_sequence.hpp"
#include "isolate/descriptor.hpp"
#include "millrace/run.hpp"

namespace millrace::cli {

/// Keeps SIGINT and SIGTERM for the watch. Called before the first thread, which inherits it.
void block_signals();

/// Stands beside a run in a thread of its own: takes the signals and ends the run as they ask,
/// shows a line of progress on a terminal, and says while stopping what is left, and what hangs
/// when nothing moves.
class RunWatch {
 public:
  struct Setup {
    Duration shutdown_timeout;
    std::string noun = "item";                       ///< What is counted.
    bool live = false;                               ///< A line of progress on stderr.
    Duration stall_after = std::chrono::minutes(1);  ///< Without a move: who waits on what is told.
  };

  RunWatch(const Shutdown& shutdown, const Progress& progress, Setup setup);
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;
  ~RunWatch() { stop(); }

  /// Joins the thread, takes the line of progress off, and gives the signals back their usual
  /// effect. On the thread that called block_signals().
  void stop() noexcept;
  int signal() const noexcept { return signal_; }  ///< The first one that came; 0: none.

 private:
  using Time = StopSequence::Time;

  void watch();
  bool wait();  // false: stop() was called
  void take_signals(Time now);
  void follow(StopSequence::Step step);
  void show_progress(Time now);
  void erase_progress();
  void say_what_is_left(Time now);
  void say_what_hangs(Time now);
  [[noreturn]] void force();

  Shutdown shutdown_;
  const Progress& progress_;
  Setup setup_;
  Time start_;
  StopSequence sequence_;
  StopSequence::Step followed_ = StopSequence::Step::running;
  Time next_note_{}, next_look_{};
  StallWatch stall_;
  bool line_shown_ = false;
  std::atomic<int> signal_ = 0;
  Descriptor signals_, end_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace millrace::cli
