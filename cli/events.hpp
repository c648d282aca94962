// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>

#include "cli/line_writer.hpp"
#include "cli/live/view.hpp"
#include "millrace/run.hpp"

namespace millrace::cli {

/// Where events go: a descriptor's number, or a file that is made or emptied. Throws Error (usage).
Descriptor open_events(const std::string& to);

/// A run as lines of JSON for other programs, as docs/events.md describes them. Nobody waits for
/// the reader: what it leaves no room for is left out and told. [any thread, at once]
class EventLog : public RunObserver {
 public:
  EventLog(Descriptor to, const Plan& plan);

  void started();
  void ended(const ItemEnd& end) noexcept override;
  void failed(const Failure& failure) noexcept override { tell("failure", failure); }
  void skipped(const Failure& skip) noexcept override { tell("skip", skip); }
  void warned(const Failure& warning) noexcept override { tell("warning", warning); }
  void progress(const Snapshot& now, const Pace& pace);

  /// The last event; then waits for the reader a while. `error` where the run came to none.
  void end(const Report& report, int status);
  void end(const Snapshot& last, int status, const std::string& error);
  /// The same for an end that cannot wait.
  void force(const Snapshot& last, int status);

  /// What to tell the user, once: the reader is gone, or slow. None: all is well. [one thread]
  std::optional<std::string> complaint();
  /// Whether something is missing of what was to be told, but for progress.
  bool has_lost() const { return lost_ > 0 || writer_.lost() > 0; }

 private:
  void tell(const char* event, const Failure& what) noexcept;
  double time() const;
  void put(std::string event);
  void put_end(const Snapshot& last, int status, const std::string& error);
  void lose() noexcept;

  const Plan& plan_;
  const Context::Clock::time_point start_ = Context::Clock::now();
  std::atomic<std::size_t> lost_ = 0;
  std::atomic<std::size_t> untold_ = 0;  // of these: the reader does not know yet
  bool has_complained_ = false;
  LineWriter writer_;
};

}  // namespace millrace::cli
