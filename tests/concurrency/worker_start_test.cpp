// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <pthread.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "concurrency/pools.hpp"
#include "concurrency/unstartable.hpp"
#include "millrace/worker_pool.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace millrace_test;

TEST_CASE("each worker makes its own state, uses it alone, and destroys it in its thread",
          "[worker_pool][concurrency]") {
  struct State {
    explicit State(std::atomic<int>& gone) : ended(gone) {}
    ~State() {
      if (std::this_thread::get_id() == home) ++ended;
    }
    std::atomic<int>& ended;
    std::thread::id home = std::this_thread::get_id();
    int jobs = 0;  // no lock: this worker's alone
  };
  std::atomic<int> made = 0, ended = 0, abroad = 0, total = 0;
  Pool pool(Context(), {.name = "state", .workers = 4}, [&] {
    ++made;
    return [&, state = std::make_unique<State>(ended)](int) {
      if (state->home != std::this_thread::get_id()) ++abroad;
      ++state->jobs;
      ++total;
    };
  });
  pool.start();
  send(pool, 400);
  CHECK_FALSE(pool.join());
  CHECK(made == 4);
  CHECK(ended == 4);
  CHECK(abroad == 0);
  CHECK(total == 400);
}

TEST_CASE("a worker that cannot make its state stops the pool, and nobody hangs",
          "[worker_pool][concurrency]") {
  std::atomic<int> made = 0;
  Pool pool(Context(), {.name = "stateless", .workers = 3, .queue = 2}, [&]() -> Pool::Work {
    if (++made == 2) throw Error(ErrorKind::resource, "no language file");
    return [](int) {};
  });
  pool.start();
  const auto jobs = pool.sender();
  ChannelStatus status = ChannelStatus::ok;
  for (int i = 0; status == ChannelStatus::ok; ++i) status = jobs.push(Context(), int(i));
  CHECK(status == ChannelStatus::closed);
  const auto first = pool.join();
  REQUIRE(first);
  CHECK(first->error().what() == std::string("no language file"));
}

TEST_CASE("a pool whose threads cannot all start has none", "[worker_pool][concurrency]") {
  const ThreadCount threads;
  Pool pool(Context(), {.name = "none", .workers = 2}, all_do([](int) {}));
  const Unstartable unstartable;
  try {
    pool.start();
    FAIL("it started");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::resource);
    CHECK_THAT(error.what(), ContainsSubstring("none: cannot start thread 1"));
  }
  CHECK(threads.as_before());
  CHECK(pool.sender().push(Context(), 1) == ChannelStatus::closed);
}

TEST_CASE("when a later thread cannot start, those before it are stopped and joined",
          "[worker_pool][concurrency]") {
  const ThreadCount threads;
  std::optional<Unstartable> unstartable;
  std::atomic<int> begun = 0;
  struct Serve {  // copied for each thread just before it starts
    Serve(std::atomic<int>& n, std::optional<Unstartable>& u, std::size_t t)
        : count(n), refuse(u), threads_before(t) {}
    Serve(const Serve& other) : Serve(other.count, other.refuse, other.threads_before) {
      const bool is_first = count == 0 && live_threads() <= threads_before;
      if (!refuse && !is_first && eventually([this] { return count > 0; })) refuse.emplace();
    }
    void operator()() const { ++count; }
    std::atomic<int>& count;
    std::optional<Unstartable>& refuse;
    std::size_t threads_before;
  };
  PoolThreads pool(Context(), "some");
  CHECK_THROWS_WITH(
      pool.start(100, Serve(begun, unstartable, threads.before())),
      ContainsSubstring("some: cannot start thread") && !ContainsSubstring("thread 1:"));
  unstartable.reset();
  CHECK(begun > 0);
  CHECK(pool.context().done());
  CHECK(threads.as_before());
}

TEST_CASE("a pool without workers is refused", "[worker_pool][concurrency]") {
  CHECK_THROWS_AS(Pool(Context(), {.name = "empty", .workers = 0}, all_do([](int) {})), Error);
}

TEST_CASE("workers bear the first 15 bytes of the pool's name", "[worker_pool][concurrency]") {
  std::mutex mutex;
  std::set<std::string> names;
  Pool pool(Context(), {.name = "a-stage-with-a-long-name", .workers = 2}, [&] {
    std::array<char, 32> name{};
    pthread_getname_np(pthread_self(), name.data(), name.size());
    const std::lock_guard lock(mutex);
    names.insert(name.data());
    return [](int) {};
  });
  pool.start();
  CHECK_FALSE(pool.join());
  CHECK(names == std::set<std::string>{"a-stage-with-a-"});
}
