// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "millrace/option.hpp"
#include "millrace/progress.hpp"

namespace millrace::cli {

/// How far a run was at one moment.
struct Snapshot {
  Duration time{};  ///< Since its start, without the time in which the program was stopped.
  std::size_t inputs = 0, done = 0, skipped = 0, failed = 0, cancelled = 0;
  std::vector<StageState> stages;

  std::size_t ended() const noexcept { return done + skipped + failed + cancelled; }
  std::size_t worked() const noexcept { return done + failed; }
};

Snapshot snapshot_of(const Progress& progress, Duration time);

/// How fast a run goes, and so how long it will. What is older counts less; what is skipped counts
/// as no work, and may be followed by some. [one thread]
class Pace {
 public:
  void add(const Snapshot& now);
  std::optional<double> per_second() const;  ///< None before it means something.
  std::optional<Duration> left() const;      ///< The same.

 private:
  std::optional<Duration> before_;
  std::size_t worked_ = 0;
  std::size_t remaining_ = 0;
  double items_ = 0, seconds_ = 0;  // weighted
};

/// A stage on the screen.
struct StageRow {
  std::string name;     ///< Fit for a terminal.
  bool shares = false;  ///< Works on the workers of the row before.
  std::size_t done = 0, failed = 0;
  std::optional<double> rate;  ///< Per second.
  double busy = 0;             ///< Of its workers' time, 0 to 1.
  std::size_t queued = 0;
  std::size_t capacity = 0;  ///< 0: it has no queue.
  bool is_bottleneck = false;
};

/// What happened between two moments, a row for each stage; those that share workers follow their
/// first. The bottleneck is the stage whose workers hardly ever wait for others.
std::vector<StageRow> rows_of(const Snapshot& before, const Snapshot& now);

/// All that is shown of a run.
struct View {
  std::string noun = "item";  ///< What is counted.
  Snapshot now;
  std::optional<double> rate;
  std::optional<Duration> left;
  bool stopping = false;
  std::vector<StageRow> rows{};
};

}  // namespace millrace::cli
