// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/live/notices.hpp"
#include "cli/live/terminal.hpp"
#include "cli/live/view.hpp"
#include "millrace/run.hpp"

namespace millrace::cli {

/// What is shown on standard error while a run goes on.
enum class Showing {
  nothing,  ///< But for what say() is given.
  lines,    ///< A line now and then, and each failure as it happens.
  block,    ///< Drawn in place on a terminal, failures above it.
};

/// Shows a run while it goes on. Short ones are not worth it: nothing is shown of them. [one
/// thread, but for the observer]
class Live {
 public:
  Live(const Progress& progress, Showing showing, std::string noun);

  /// To be told of the run's items.
  RunObserver& observer() noexcept { return notices_; }

  /// Shows what is new; `time` is the run's, without the stops.
  void show(Duration time);
  /// When it wants to be called again, by the run's time; none: there is nothing to show.
  std::optional<Duration> next() const;

  /// Lines that stay, above the block. What there is no room for now is left out: a reader that
  /// does not read must not keep the watch from the signals.
  void say(std::string_view text);
  void stopping() { stopping_ = true; }

  /// Before the program is stopped, and when it goes on.
  void suspend();
  void resume();

  /// The run has ended: takes the block away. True when a person has been told every failure.
  bool end();

 private:
  void show_block();
  void show_lines(Duration time);

  const Progress& progress_;
  const Showing showing_;
  const std::string noun_;
  Notices notices_;
  std::optional<Terminal> terminal_;
  std::deque<Snapshot> looks_;  // of the last seconds
  Pace pace_;
  std::vector<Line> block_;  // that is drawn
  Duration next_{}, next_line_{};
  bool has_begun_ = false;
  bool stopping_ = false;
};

}  // namespace millrace::cli
