// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/worker_pool.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "concurrency/most.hpp"
#include "concurrency/pools.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using namespace millrace_test;

static_assert(!std::is_copy_constructible_v<Pool> && !std::is_move_constructible_v<Pool>);

TEST_CASE("the example of worker_pool.hpp", "[worker_pool][concurrency]") {
  struct Page {
    int number;
  };
  struct Engine {
    void read(Page page) { total += page.number; }
    std::atomic<int>& total;
  };
  std::atomic<int> total = 0;
  const Context context;
  std::vector<Page> pages{{1}, {2}, {3}};
  WorkerPool<Page> pool(context, {.name = "ocr", .workers = 2}, [&] {
    return [engine = Engine{total}](Page page) mutable { engine.read(page); };
  });
  pool.start();
  {
    const auto jobs = pool.sender();
    for (auto& page : pages)
      if (jobs.push(context, std::move(page)) != ChannelStatus::ok) break;
  }
  CHECK_FALSE(pool.join());
  CHECK(total == 6);
}

TEST_CASE("a pool does what was sent before it was closed, then its workers leave",
          "[worker_pool][concurrency]") {
  const ThreadCount threads;
  std::atomic<int> done = 0;
  Pool pool(Context(), {.name = "drain", .workers = 3, .queue = 100}, all_do([&](int) { ++done; }));
  send(pool, 100);
  CHECK(done == 0);
  pool.start();
  CHECK_FALSE(pool.join());
  CHECK(done == 100);
  CHECK(threads.as_before());
  CHECK(pool.unstarted().empty());
  CHECK(pool.sender().try_push(1) == ChannelStatus::closed);
  CHECK_FALSE(pool.join());
}

TEST_CASE("as many jobs run at once as there are workers, and no more",
          "[worker_pool][concurrency]") {
  Most most;
  Pool pool(Context(), {.name = "three", .workers = 3}, all_do([&](int) {
              const auto inside = most.enter();
              most.wait_for(3);
            }));
  pool.start();
  send(pool, 60);
  CHECK_FALSE(pool.join());
  CHECK(most.reached() == 3);
}

TEST_CASE("fifty thousand jobs take no more threads and no more memory than ten",
          "[worker_pool][concurrency]") {
  const ThreadCount threads;
  std::atomic<int> done = 0;
  std::atomic<std::size_t> most_threads = 0;
  Pool pool(Context(), {.name = "many", .workers = 4}, all_do([&](int job) {
              ++done;
              if (job % 1000 == 0)
                most_threads = std::max<std::size_t>(most_threads, live_threads());
            }));
  pool.start();
  const auto before = resident_bytes();
  send(pool, 50000);
  CHECK_FALSE(pool.join());
  CHECK(done == 50000);
  CHECK(most_threads <= threads.before() + 4);
  CHECK(pool.counts().high_water <= 16);
  CHECK(resident_bytes() < before + (64u << 20));
}

TEST_CASE("a pool's queue is four times its workers unless it is told",
          "[worker_pool][concurrency]") {
  CHECK(Pool::Options{.name = "p", .workers = 3}.queue == 12);
  CHECK(Pool::Options{.name = "p", .workers = 3, .queue = 0}.queue == 0);
  Pool pool(Context(), {.name = "p", .workers = 1}, all_do([](int) {}));
  const auto jobs = pool.sender();
  for (int i = 0; i < 4; ++i) CHECK(jobs.try_push(int(i)) == ChannelStatus::ok);
  CHECK(jobs.try_push(4) == ChannelStatus::would_block);
}

TEST_CASE("a sender waits while every worker is busy and the queue is full",
          "[worker_pool][concurrency]") {
  const Context gate;
  std::atomic<int> begun = 0;
  Pool pool(Context(), {.name = "busy", .workers = 2, .queue = 3}, all_do([&](int) {
              ++begun;
              (void)gate.sleep_for(1h);
            }));
  pool.start();
  std::jthread producer([&] { send(pool, 6); });
  CHECK(eventually([&] { return begun == 2 && pool.counts().pushers == 1; }));
  CHECK(pool.counts().depth == 3);
  gate.cancel();
  producer.join();
  CHECK_FALSE(pool.join());
}

TEST_CASE("the queue lets a source work ahead of the workers", "[worker_pool][concurrency]") {
  const Context gate;
  std::atomic<int> made = 0;
  for (const std::size_t queue : {0, 8}) {
    made = 0;
    const Context go = gate.child();
    Pool pool(Context(), {.name = "ahead", .workers = 1, .queue = queue},
              [&] { return [&](int) { (void)go.sleep_for(1h); }; });
    pool.start();
    std::jthread source([&, jobs = pool.sender()] {
      for (int i = 0; i < 20; ++i, ++made)
        if (jobs.push(Context(), int(i)) != ChannelStatus::ok) return;
    });
    // One that is worked on and what the queue holds: so far the source is ahead of a slow worker.
    CHECK(eventually([&] { return made == 1 + int(queue) && pool.counts().pushers == 1; }));
    go.cancel();
    source.join();
    CHECK_FALSE(pool.join());
    CHECK(made == 20);
  }
}

TEST_CASE("a cancelled pool stops between jobs and hands back what is queued",
          "[worker_pool][concurrency]") {
  const Context context;
  std::atomic<int> begun = 0;
  WorkerPool<std::unique_ptr<int>> pool(
      context, {.name = "stop", .workers = 2, .queue = 10}, [&](const Context& here) {
        return [&, here](std::unique_ptr<int>) {
          ++begun;
          (void)here.sleep_for(1h);  // a running job sees the end by the pool's context
        };
      });
  pool.start();
  const auto jobs = pool.sender();
  for (int i = 0; i < 7; ++i)
    REQUIRE(jobs.push(Context(), std::make_unique<int>(i)) == ChannelStatus::ok);
  REQUIRE(eventually([&] { return begun == 2; }));
  context.cancel();
  CHECK_FALSE(pool.join());
  CHECK(begun == 2);
  const auto left = pool.unstarted();
  REQUIRE(left.size() == 5);
  for (int i = 0; i < 5; ++i) CHECK(*left[std::size_t(i)] == i + 2);
}

TEST_CASE("who waits to send to a pool that was cancelled is woken and keeps its job",
          "[worker_pool][concurrency]") {
  Pool pool(Context(), {.name = "gone", .workers = 1, .queue = 0},
            [&](const Context& here) { return [&, here](int) { (void)here.sleep_for(1h); }; });
  pool.start();
  ChannelStatus first{}, second{};
  std::jthread producer([&, jobs = pool.sender()] {
    first = jobs.push(Context(), 1);
    second = jobs.push(Context(), 2);
  });
  REQUIRE(eventually([&] { return pool.counts().pushers == 1 && pool.counts().poppers == 0; }));
  std::this_thread::sleep_for(1ms);
  pool.cancel();
  producer.join();
  CHECK(second == ChannelStatus::closed);
}

TEST_CASE("a job that throws costs neither its worker nor another job",
          "[worker_pool][concurrency]") {
  std::atomic<int> done = 0;
  Pool pool(Context(), {.name = "throws", .workers = 2}, all_do([&](int job) {
              if (job == 3) throw Error(ErrorKind::input, "job 3 is bad");
              if (job == 7) throw 42;
              if (job == 9) throw std::bad_alloc();
              ++done;
            }));
  pool.start();
  send(pool, 100);
  const auto first = pool.join();
  CHECK(done == 97);
  REQUIRE(first);
  REQUIRE(pool.errors().size() == 3);
  CHECK(pool.failed() == 3);
  std::set<std::string> texts;
  for (const auto& fault : pool.errors()) texts.insert(fault.error().what());
  CHECK(texts == std::set<std::string>{"job 3 is bad", "out of memory",
                                       "threw something that is not an exception"});
}

TEST_CASE("a pool keeps a hundred errors and counts the others", "[worker_pool][concurrency]") {
  Pool pool(Context(), {.name = "bad", .workers = 2},
            all_do([](int job) { throw Error(ErrorKind::input, std::to_string(job)); }));
  pool.start();
  send(pool, 250);
  CHECK(pool.join());
  CHECK(pool.errors().size() == 100);
  CHECK(pool.failed() == 250);
}

TEST_CASE("a worker cannot wait for its own pool", "[worker_pool][concurrency]") {
  Pool* self = nullptr;
  Pool pool(Context(), {.name = "self"}, [&] { return [&](int) { (void)self->join(); }; });
  self = &pool;
  pool.start();
  send(pool, 1);
  const auto first = pool.join();
  REQUIRE(first);
  CHECK_THAT(first->error().what(), ContainsSubstring("cannot wait for its own pool"));
}

TEST_CASE("the end of a pool cancels what runs and leaves no thread",
          "[worker_pool][concurrency]") {
  const ThreadCount threads;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> begun = 0;
    const Context context;
    {
      Pool pool(context, {.name = "end", .workers = 3}, [&](const Context& here) {
        return [&, here](int) {
          ++begun;
          (void)here.sleep_for(1h);
        };
      });
      pool.start();
      send(pool, round % 5);
    }
    CHECK(begun <= 3);
    CHECK_FALSE(context.done());
  }
  CHECK(threads.as_before());
}

TEST_CASE("results come as they are made, and end when all workers are done",
          "[worker_pool][concurrency]") {
  // Unbuffered both ways, one thread that reads: feeding is a thread of its own.
  const Context context;
  Channel<int> results;
  std::atomic<int> alive = 0;
  Pool pool(context, {.name = "square", .workers = 3, .queue = 0}, [&, to = results.sender()] {
    ++alive;
    auto leaves = std::shared_ptr<void>(nullptr, [&](void*) { --alive; });
    return [&, leaves, to](int job) { (void)to.push(context, job * job); };
  });
  pool.start();
  std::jthread feed([&] {
    send(pool, 100);
    pool.close();
  });
  long sum = 0;
  int count = 0;
  for (const int result : results.receiver().each(context)) sum += result, ++count;
  CHECK(count == 100);
  CHECK(sum == 328350);
  feed.join();
  CHECK_FALSE(pool.join());
  CHECK(alive == 0);
}

TEST_CASE("a worker that cannot deliver leaves when the pool is cancelled",
          "[worker_pool][concurrency]") {
  const ThreadCount threads;
  const Channel<int> results;  // nobody reads
  const auto keep_open = results.sender();
  const Context context;
  Pool pool(context, {.name = "mute", .workers = 3}, [&](const Context& here) {
    return [&, here, to = results.sender()](int job) { (void)to.push(here, int(job)); };
  });
  pool.start();
  send(pool, 5);
  REQUIRE(eventually([&] { return results.counts().pushers == 3; }));
  context.cancel();
  CHECK_FALSE(pool.join());
  CHECK(pool.unstarted().size() == 2);
  CHECK(threads.as_before());
}
