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

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <opencv2/core/utility.hpp>
#include <string>
#include <thread>
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

/// What each descriptor is open on.
Names open_descriptors() {
  Names names;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // the one that the iterator itself reads from
    const auto target = fs::read_symlink(entry.path(), gone).string();
    // Tesseract opens /dev/null once, for its messages, and keeps it.
    if (!gone && target.find("/proc/") != 0 && target != "/dev/null")
      names.push_back(entry.path().filename().string() + " -> " + target);
  }
  std::ranges::sort(names);
  return names;
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
    std::ranges::set_difference(open_descriptors(), descriptors_, std::back_inserter(more));
    if (same_threads && more.empty()) return;
    std::cerr << "LEAK in \"" << stats.testInfo.name << "\"\n";
    if (!same_threads) tell("threads", thread_names());
    if (!more.empty()) tell("descriptors", more);
    std::_Exit(70);
  }

 private:
  std::size_t threads_ = 0;
  Names descriptors_;
};

}  // namespace

CATCH_REGISTER_LISTENER(LeakCheck)
