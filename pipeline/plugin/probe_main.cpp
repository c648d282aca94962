// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// millrace_probe open LIBRARY: says "begin", opens a plugin's library and says "good", "bad REASON"
// where the loader refuses it, or "deadly REASON" where it would end the program or harm all of it.
// millrace_probe check LIBRARY: puts it through the conformance test and says "begin CHECK", then
// "ok", "skipped WHY" or "failed WHY", and "end" when it is through.
// The library starts it, so that a plugin that crashes or hangs harms nobody.

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "millrace/error.hpp"
#include "plugin/conformance.hpp"
#include "plugin/library.hpp"

namespace {

int said_to = -1;

void say(const std::string& word, std::string text = {}) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  const std::string line = text.empty() ? word + "\n" : word + " " + text + "\n";
  [[maybe_unused]] const auto written = ::write(said_to, line.data(), line.size());
}

/// What was thrown where nothing may be.
[[noreturn]] void tell_what_was_thrown() {
  try {
    if (std::current_exception()) throw;
    say("deadly", "ends the program by std::terminate() while it is loaded");
  } catch (const std::exception& error) {
    say("deadly", "throws while it is loaded: " + std::string(error.what()));
  } catch (...) {
    say("deadly", "throws while it is loaded");
  }
  std::abort();
}

/// What belongs to the whole program and not to one of its plugins.
struct Surroundings {
  std::array<std::pair<dev_t, ino_t>, 3> standard_files{};
  std::filesystem::path folder = std::filesystem::current_path(ignored);
  mode_t mask = ::umask(0);
  static inline std::error_code ignored;

  Surroundings() {
    ::umask(mask);
    for (int file = 0; file < 3; ++file) {
      struct stat status {};
      if (::fstat(file, &status) == 0) standard_files.at(file) = {status.st_dev, status.st_ino};
    }
  }
  /// Empty: nothing.
  std::string changed_since(const Surroundings& before) const {
    if (standard_files != before.standard_files) return "closes or replaces a standard stream";
    if (folder != before.folder) return "changes the working folder";
    if (mask != before.mask) return "changes the mask of file permissions (umask)";
    itimerval alarm{};
    ::getitimer(ITIMER_REAL, &alarm);
    return timerisset(&alarm.it_value) ? "sets an alarm, which would end the program" : "";
  }
};

int open(const char* library) {
  std::set_terminate(tell_what_was_thrown);
  say("begin");  // what comes before is not the library's fault
  try {
    const Surroundings before;
    millrace::stages_of(library);
    const auto harm = Surroundings().changed_since(before);
    if (!harm.empty()) {
      say("deadly", harm + " while it is loaded");
      return 1;
    }
    say("good");
    return 0;
  } catch (const millrace::Error& error) {
    const std::string reason = error.what();
    const std::string path = std::string(library) + ": ";
    say("bad", reason.starts_with(path) ? reason.substr(path.size()) : reason);
  } catch (...) {
    tell_what_was_thrown();
  }
  return 1;
}

int check(const char* library) {
  const millrace::CheckLog log{[](const std::string& check) { say("begin", check); },
                               [] { say("ok"); },
                               [](const std::string& why) { say("skipped", why); },
                               [](const std::string& why) { say("failed", why); }};
  const bool passed = millrace::check_plugin(library, log);
  say("end");
  return passed ? 0 : 1;
}

/// Keeps what is said apart from what a plugin prints, leaves no core, and does not outlive the one
/// that waits for it.
void prepare() {
  said_to = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 3 ? argv[1] : "";
  if (what != "open" && what != "check") {
    const std::string_view usage = "usage: millrace_probe open|check LIBRARY\n";
    return ::write(STDERR_FILENO, usage.data(), usage.size()) < 0 ? 2 : 2;
  }
  prepare();
  // Not through exit(): what a plugin does in its destructors comes too late for a verdict.
  ::_exit(what == "open" ? open(argv[2]) : check(argv[2]));
}
