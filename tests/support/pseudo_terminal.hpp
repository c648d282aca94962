// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "process/descriptor.hpp"

namespace millrace::testing {

/// What stands on a terminal after some output, in one that wraps its lines anew when it becomes
/// narrower. Knows what Millrace uses: line ends, going up, erasing to the end; ASCII only.
class ScreenText {
 public:
  explicit ScreenText(std::size_t columns) : columns_(columns) {}
  void put(std::string_view output);
  void resize(std::size_t columns) { columns_ = columns; }
  std::string text() const;  ///< Lines with a line end each, without spaces there.

 private:
  void escape(std::string_view code, char last);
  void go_up(std::size_t rows);
  std::size_t rows_of(std::size_t line) const;

  std::size_t columns_;
  std::vector<std::string> lines_{""};
  std::size_t line_ = 0, at_ = 0;
  std::string rest_;  // of an escape sequence that has not come whole
};

/// The `millrace` program at a terminal of its own, started by something like a shell with job
/// control. Killed at the end of the test if it still runs.
class PseudoTerminal {
 public:
  PseudoTerminal(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                 const std::string& plugin_folder, std::size_t columns = 90);
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;
  ~PseudoTerminal();

  void type(std::string_view keys) const;
  void resize(std::size_t columns);
  std::string screen();  ///< Now.
  /// Whether that comes to stand there.
  bool shows(std::string_view text);

  void wait_for_stop();  ///< As by Ctrl-Z.
  void go_on() const;    ///< What `fg` does.
  int wait();            ///< For its end: the status of exit(2), or 128 + n.

 private:
  void read_output();
  char answer(char expected);

  Descriptor master_, commands_, answers_;
  pid_t shell_ = 0;
  ScreenText text_;
};

}  // namespace millrace::testing
