// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/parallel.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "concurrency/cpu_slots.hpp"
#include "millrace/error.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"
#include "support/tbb_end.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using millrace_test::eventually;

namespace {

using Range = std::pair<std::size_t, std::size_t>;

/// Every CPU slot, as if other stages had all of them.
std::vector<Slots::Slot> all_slots() {
  std::vector<Slots::Slot> slots;
  while (auto slot = cpu_slots().try_acquire()) slots.push_back(std::move(*slot));
  return slots;
}

std::set<Range> parts_of(std::size_t begin, std::size_t end, std::size_t grain) {
  std::mutex mutex;
  std::multiset<Range> parts;
  parallel_for(Context(), begin, end, grain, [&](std::size_t first, std::size_t last) {
    const std::lock_guard lock(mutex);
    parts.emplace(first, last);
  });
  std::set<Range> once(parts.begin(), parts.end());
  CHECK(once.size() == parts.size());
  return once;
}

/// Whether a second thread comes to help while the first part waits for it.
bool is_helped(std::chrono::milliseconds patience = 60s) {
  std::atomic<bool> helped = false;
  const auto caller = std::this_thread::get_id();
  const auto limit = std::chrono::steady_clock::now() + patience;
  parallel_for(Context(), 0, 64, 1, [&](std::size_t, std::size_t) {
    if (std::this_thread::get_id() != caller) helped = true;
    while (!helped && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(100us);
  });
  return helped;
}

int sum_of(const std::vector<int>& row) { return std::accumulate(row.begin(), row.end(), 0); }

}  // namespace

TEST_CASE("the example of parallel.hpp", "[concurrency][parallel]") {
  const Context context;
  const std::vector<std::vector<int>> rows(1000, std::vector<int>(100, 3));
  std::vector<int> sums(rows.size());
  parallel_for(context, 0, rows.size(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) sums[i] = sum_of(rows[i]);
  });
  CHECK(sums == std::vector<int>(1000, 300));
}

TEST_CASE("a range is cut by its grain, whatever is free", "[concurrency][parallel]") {
  const bool busy = GENERATE(false, true);
  const auto held = busy ? all_slots() : std::vector<Slots::Slot>();
  CHECK(parts_of(0, 0, 4).empty());
  CHECK(parts_of(7, 3, 4).empty());
  CHECK(parts_of(5, 6, 100) == std::set<Range>{{5, 6}});
  CHECK(parts_of(3, 13, 4) == std::set<Range>{{3, 7}, {7, 11}, {11, 13}});
  CHECK(parts_of(0, 3, 0) == std::set<Range>{{0, 1}, {1, 2}, {2, 3}});
  const auto most = std::numeric_limits<std::size_t>::max();
  CHECK(parts_of(most - 5, most, most) == std::set<Range>{{most - 5, most}});
  CHECK(parts_of(0, 1000, 1).size() == 1000);
}

TEST_CASE("with every CPU slot taken, one thread does all the parts", "[concurrency][parallel]") {
  const auto held = all_slots();
  std::vector<std::size_t> order;  // unguarded: of this thread alone
  const auto caller = std::this_thread::get_id();
  bool alone = true;
  parallel_for(Context(), 0, 50, 3, [&](std::size_t first, std::size_t) {
    order.push_back(first);
    alone = alone && std::this_thread::get_id() == caller;
  });
  CHECK(alone);
  CHECK(order.size() == 17);
  CHECK(std::ranges::is_sorted(order));
}

TEST_CASE("a free CPU slot brings another thread, and comes back", "[concurrency][parallel]") {
  if (cpu_slots().count() < 2) return;  // TBB has no worker on one CPU
  auto held = all_slots();
  REQUIRE_FALSE(is_helped(20ms));
  held.pop_back();
  CHECK(is_helped());
  CHECK(cpu_slots().free() == 1);
}

TEST_CASE("a slot that falls free during the work brings another thread",
          "[concurrency][parallel]") {
  if (cpu_slots().count() < 2) return;
  auto held = all_slots();
  std::atomic<bool> helped = false;
  const auto caller = std::this_thread::get_id();
  parallel_for(Context(), 0, 1000, 1, [&](std::size_t first, std::size_t) {
    if (first == 3) held.pop_back();  // none is helping yet
    if (std::this_thread::get_id() != caller) helped = true;
    if (first == 4) (void)eventually([&] { return helped.load(); });
  });
  CHECK(helped);
}

TEST_CASE("a helper's slot goes to a stage that waits for one", "[concurrency][parallel]") {
  auto held = all_slots();
  held.pop_back();  // for the helper
  std::atomic<bool> served = false, in_time = true;
  std::thread stage;
  const auto caller = std::this_thread::get_id();
  // The caller waits in its first part; a helper that kept its slot would have parts for a minute.
  parallel_for(Context(), 0, 500'000, 1, [&](std::size_t first, std::size_t) {
    if (first == 0) {
      stage = std::thread([&] { served = cpu_slots().acquire(Context()).has_value(); });
      (void)eventually([&] { return cpu_slots().waiting() > 0 || served; });
    }
    if (served || !in_time) return;
    if (std::this_thread::get_id() != caller)
      std::this_thread::sleep_for(100us);
    else if (!eventually([&] { return served.load(); }, 30s))
      in_time = false;
  });
  CHECK(in_time);
  held.clear();
  stage.join();
}

TEST_CASE("the caller sees what the parts wrote", "[concurrency][parallel]") {
  std::vector<int> values(20'000);
  for (int round = 1; round <= 20; ++round) {
    parallel_for(Context(), 0, values.size(), 100, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) ++values[i];
    });
    CHECK(sum_of(values) == round * 20'000);
  }
}

TEST_CASE("what a part throws comes out, and no further part is begun", "[concurrency][parallel]") {
  const bool busy = GENERATE(false, true);
  const auto held = busy ? all_slots() : std::vector<Slots::Slot>();
  std::atomic<int> begun = 0;
  const auto work = [&](std::size_t first, std::size_t) {
    ++begun;
    if (first == 5) throw 42;
    std::this_thread::sleep_for(100us);
  };
  CHECK_THROWS_AS(parallel_for(Context(), 0, 1'000'000, 1, work), int);
  CHECK(begun < 1'000'000);  // of which there would be minutes
  CHECK(cpu_slots().free() + held.size() == cpu_slots().count());
}

TEST_CASE("the first of several errors comes out", "[concurrency][parallel]") {
  try {
    parallel_for(Context(), 0, 100, 1, [](std::size_t first, std::size_t) {
      throw Error(ErrorKind::input, "part " + std::to_string(first));
    });
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    CHECK_THAT(error.what(), ContainsSubstring("part "));
  }
}

TEST_CASE("a context that ends stops the parts", "[concurrency][parallel]") {
  const Context context;
  std::atomic<int> begun = 0;
  const auto work = [&](std::size_t, std::size_t) {
    if (const int now = ++begun; now == 10)
      context.cancel();
    else if (now > 10)
      (void)context.sleep_for(1h);  // a helper, while the tenth has yet to cancel
  };
  CHECK_THROWS_AS(parallel_for(context, 0, 100'000, 1, work), Error);
  CHECK(begun <= 9 + static_cast<int>(cpu_slots().count() + 1));
  begun = 0;
  CHECK_THROWS_AS(parallel_for(context, 0, 1, 1, work), Error);
  CHECK(begun == 0);
}

TEST_CASE("parallel work may be begun within a part", "[concurrency][parallel]") {
  std::vector<std::vector<int>> values(20, std::vector<int>(300));
  parallel_for(Context(), 0, values.size(), 1, [&](std::size_t row, std::size_t) {
    parallel_for(Context(), 0, values[row].size(), 7, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) values[row][i] = static_cast<int>(row);
    });
  });
  for (int row = 0; row < 20; ++row)
    CHECK(values[static_cast<std::size_t>(row)] == std::vector<int>(300, row));
  CHECK(cpu_slots().free() == cpu_slots().count());
}

TEST_CASE("many threads do parallel work at once", "[concurrency][parallel]") {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&wrong, i] {
      for (int round = 0; round < 30; ++round) {
        std::vector<int> values(500);
        parallel_for(Context(), 0, values.size(), 9, [&](std::size_t first, std::size_t last) {
          for (std::size_t k = first; k < last; ++k) values[k] = i;
        });
        if (sum_of(values) != i * 500) ++wrong;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(cpu_slots().free() == cpu_slots().count());
}

TEST_CASE("the threads that help can be ended, and come again", "[concurrency][parallel]") {
  if (cpu_slots().count() < 2) return;
  testing::end_tbb_workers();
  const millrace_test::ThreadCount threads;
  for (int round = 0; round < 3; ++round) {
    bool helped = false;
    std::thread([&helped] { helped = is_helped(); }).join();
    CHECK(helped);
    CHECK(is_helped());
    testing::end_tbb_workers();
    CHECK(threads.as_before());
  }
}
