// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "cli/command_line.hpp"
#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "millrace/error.hpp"
#include "plugin/library.hpp"

namespace millrace::cli {
namespace {

/// `head` has what it wanted: no word about it.
bool reader_has_left() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/// What the verb has said must have arrived: a full disk is no success.
int after_output(int status) {
  if (std::cout.flush()) return status;
  if (!reader_has_left()) say("millrace: the output could not be written");
  return status == Exit::all_done ? Exit::some_failed : status;
}

/// A standard descriptor that the caller has closed would be the number of the next file that is
/// opened, and what is said would land in it. Now using it fails, as it did.
void keep_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0)
      (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

bool has_ended = false;

/// A stage that calls exit() must not look like success.
void tell_untimely_end() {
  if (has_ended) return;
  say("millrace: a stage of a plugin has ended the program by exit(); with 'isolate: process' "
      "beside it, only its item fails");
  std::_Exit(Exit::forced);
}

/// All is said and done: what a plugin does in its destructors can neither change the status nor
/// hold it up.
int end(int status) {
  has_ended = true;
  if (!any_library_opened()) return status;
  std::fflush(nullptr);
  std::_Exit(status);
}

int run_guarded(int argc, char** argv) {
  try {
    return after_output(run_command_line({argv + 1, argv + argc}));
  } catch (const Error& error) {
    say_lines("millrace: " + std::string(error.what()));
    return error.kind() == ErrorKind::resource ? Exit::some_failed : Exit::wrong_usage;
  } catch (const std::exception& error) {
    say_lines("millrace: internal error: " + std::string(error.what()));
    return Exit::some_failed;
  }
}

}  // namespace
}  // namespace millrace::cli

int main(int argc, char** argv) {
  using namespace millrace::cli;
  // A reader that left and a file-size limit become errors of the one write that meets them.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  keep_standard_descriptors();
  std::atexit(tell_untimely_end);
  return end(run_guarded(argc, argv));
}
