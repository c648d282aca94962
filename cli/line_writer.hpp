// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

#include "process/descriptor.hpp"

namespace millrace::cli {

/// Writes lines to a reader that may be slow or gone, on a thread of its own: nobody waits for it.
/// Up to 16 MiB wait for the reader; a line for which there is no room is refused.
/// [any thread, at once]
class LineWriter {
 public:
  explicit LineWriter(Descriptor to);
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;
  ~LineWriter() { end({}); }

  /// `share`: of the room for waiting lines, how much may be taken when this one is added. False:
  /// there is no room, or the reader is gone.
  bool put(std::string line, double share = 1);

  /// Why nothing can be written any more, by errno; 0: it can.
  int broken() const;
  std::size_t lost() const;  ///< Lines that were taken and could not be written.

  /// Waits until all is written, or until the reader has taken nothing for `patience`. Only the
  /// first call does something.
  void end(std::chrono::milliseconds patience);

 private:
  void write_all();
  std::size_t write(const std::string& text);
  bool wait_for_room();

  const Descriptor to_, wake_;
  mutable std::mutex mutex_;  // guards the rest
  std::condition_variable changed_;
  std::string waiting_;
  std::size_t writing_ = 0;  // bytes that are being written
  std::size_t lost_ = 0;
  int broken_ = 0;
  bool is_over_ = false;  // nothing is taken any more
  bool is_ending_ = false;
  std::chrono::milliseconds patience_{};
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace millrace::cli
