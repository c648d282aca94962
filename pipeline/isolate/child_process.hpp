// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "process/descriptor.hpp"

namespace millrace::inline v1 {

/// A running `millrace_worker`. Killed and reaped at the end of this object, and by the system when
/// the thread that made it ends. [one thread]
class ChildProcess {
 public:
  /// Where it lies: with the other programs that the library starts.
  static std::string program();

  /// Starts one, with `socket` as its descriptor 3 and none above. `title` is what `ps` shows
  /// beside it. Throws Error (resource).
  ChildProcess(const std::string& title, int socket);
  ~ChildProcess() { end(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Becomes readable when it has ended.
  int descriptor() const noexcept { return watched_.get(); }

  /// How it ended, as wait(2) says; none when it has not within that time.
  std::optional<int> wait_for(std::chrono::milliseconds time) noexcept;
  /// Kills it if it still runs; how it ended.
  int end() noexcept;

 private:
  pid_t process_ = 0;
  Descriptor watched_;
  std::optional<int> status_;
};

/// "was ended by signal 11 (SIGSEGV)", "ended with status 3".
std::string ending_text(int wait_status);

}  // namespace millrace::inline v1
