// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Every test case must leave as many threads, and the same open descriptors, as it found. One that
// does not ends the program: Catch2 2 knows no other way to fail a case from outside.

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "support/catch.hpp"
#if __has_include(<catch2/reporters/catch_reporter_event_listener.hpp>)
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#endif

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <opencv2/core/utility.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "support/live_threads.hpp"
#include "support/tbb_end.hpp"

namespace {

#if __has_include(<catch2/reporters/catch_reporter_event_listener.hpp>)
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// The names of what is open, by what stays when others rename or remove a file that was inherited:
/// the descriptor and the file's device and number.
using Descriptors = std::map<std::tuple<std::string, dev_t, ino_t>, std::string>;

Descriptors open_descriptors() {
  Descriptors open;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // the one that the iterator itself reads from
    const auto target = fs::read_symlink(entry.path(), gone).string();
    struct stat file {};
    if (gone || ::stat(entry.path().c_str(), &file) != 0) continue;
    // Tesseract opens /dev/null once, for its messages, and keeps it.
    if (target.find("/proc/") == 0 || target == "/dev/null") continue;
    const auto number = entry.path().filename().string();
    open[{number, file.st_dev, file.st_ino}] = number + " -> " + target;
  }
  return open;
}

Names thread_names() {
  Names names;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::string name, waits;
    std::getline(std::ifstream(task.path() / "comm"), name);
    std::getline(std::ifstream(task.path() / "wchan"), waits);
    names.push_back(name + " (" + waits + ")");
  }
  return names;
}

void tell(const char* what, const Names& names) {
  std::cerr << what << ":";
  for (const auto& name : names) std::cerr << " " << name << ";";
  std::cerr << "\n";
}

class LeakCheck final : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testRunStarting(const Catch::TestRunInfo&) override {
    cv::setNumThreads(0);  // as in every run: its oneTBB arena would keep the threads
  }

  void testCaseStarting(const Catch::TestCaseInfo&) override {
    threads_ = millrace_test::ThreadCount().before();
    descriptors_ = open_descriptors();
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    millrace::testing::end_tbb_workers();
    const bool same_threads =
        millrace_test::eventually([this] { return millrace_test::live_threads() <= threads_; });
    Names more;
    for (const auto& [descriptor, name] : open_descriptors())
      if (!descriptors_.contains(descriptor)) more.push_back(name);
    if (same_threads && more.empty()) return;
    std::cerr << "LEAK in \"" << stats.testInfo.name << "\"\n";
    if (!same_threads) tell("threads", thread_names());
    if (!more.empty()) tell("descriptors", more);
    std::_Exit(70);
  }

 private:
  std::size_t threads_ = 0;
  Descriptors descriptors_;
};

}  // namespace

CATCH_REGISTER_LISTENER(LeakCheck)
