// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/eventually.hpp"
#include "support/temporary_folder.hpp"

namespace millrace::testing {

/// TSAN_OPTIONS of a program that a test starts: a forced end leaves threads behind, which
/// ThreadSanitizer would report in the place of its status.
std::string thread_sanitizer_options();

/// The `millrace` program, as a user starts it. Killed at the end of the test if it still runs.
class Program {
 public:
  struct Ended {
    int status = 0;  ///< Of exit(2); 128 + n when it died by signal n.
    std::string out, err;
  };

  /// `folder` is where it is started. `output` takes its standard output in place of Ended::out.
  Program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
          const std::string& plugin_folder = "", const std::string& output = "");
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  pid_t id() const noexcept { return process_; }
  void send(int signal) const;
  std::string err() const { return said("err"); }  ///< So far.
  bool has_ended();

  /// Throws when it does not end in time.
  Ended wait(std::chrono::seconds limit = std::chrono::minutes(10));

 private:
  std::string said(std::string_view stream) const;

  TemporaryFolder streams_;
  pid_t process_ = 0;
  int wait_status_ = 0;
  bool reaped_ = false;
};

using millrace_test::eventually;

}  // namespace millrace::testing
