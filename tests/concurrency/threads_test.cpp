// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/threads.hpp"

#include <pthread.h>

#include <atomic>
#include <string>

#include "concurrency/unstartable.hpp"
#include "millrace/error.hpp"
#include "support/catch.hpp"

using namespace millrace;

TEST_CASE("threads have the first 15 bytes of their name and are joined", "[threads]") {
  char seen[32] = "";
  {
    Threads threads;
    threads.start("a-stage-with-a-long-name",
                  [&] { pthread_getname_np(pthread_self(), seen, sizeof seen); });
  }
  CHECK(std::string(seen) == "a-stage-with-a-");
}

TEST_CASE("a thread that cannot start is an error, and the others are joined", "[threads]") {
  std::atomic<int> ended = 0;
  {
    Threads threads;
    threads.start("one", [&] { ++ended; });
    threads.start("two", [&] { ++ended; });
    const millrace_test::Unstartable unstartable;
    try {
      threads.start("three", [&] { ++ended; });
      FAIL("it started");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::resource);
      CHECK_THAT(error.what(), ContainsSubstring("cannot start thread 3"));
    }
  }
  CHECK(ended == 2);
}
