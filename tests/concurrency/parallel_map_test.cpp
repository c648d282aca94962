// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/parallel_map.hpp"

#include <atomic>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "concurrency/most.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using millrace_test::eventually;
using millrace_test::Most;
using millrace_test::ThreadCount;

namespace {

struct BadOrder : Error {
  explicit BadOrder(int id) : Error(ErrorKind::input, "invalid order id " + std::to_string(id)) {}
};

int half(int id) {
  if (id < 0) throw BadOrder(id);
  return id / 2;
}

template <class Items>
concept can_be_cut = requires(Items&& items) {
  chunks(std::forward<Items>(items), 2);
};
static_assert(can_be_cut<std::vector<int>&> && can_be_cut<const std::vector<int>&>);
static_assert(!can_be_cut<std::vector<int>>);  // its slices would be of what is gone

}  // namespace

TEST_CASE("the example of parallel_map.hpp: parallel_map", "[parallel_map][concurrency]") {
  using Path = std::string;
  const auto file_size = [](const Path& path) { return path.size(); };
  const Context context;
  const std::vector<Path> paths{"a", "bbb", "cc"};
  const auto sizes =
      parallel_map(context, 8, paths, [&](const Path& path) { return file_size(path); });
  CHECK(sizes == std::vector<std::size_t>{1, 3, 2});
}

TEST_CASE("the example of parallel_map.hpp: parallel_stream", "[parallel_map][concurrency]") {
  struct Row {
    int number;
  };
  struct Table {
    void add(std::size_t line, Row row) { sum += int(line) * row.number; }
    int sum = 0;
  } table;
  const auto parse = [](const std::string& line) { return Row{std::stoi(line)}; };
  const Context context;
  const std::vector<std::string> lines{"5", "none", "7"};
  parallel_stream(context, 4, lines, parse, [&](std::size_t line, Outcome<Row> row) {
    if (row) table.add(line, *row);
  });
  CHECK(table.sum == 14);
}

TEST_CASE("the example of parallel_map.hpp: when_all", "[parallel_map][concurrency]") {
  const Context context;
  const int id = 3;
  const auto find = [](int user) { return "user " + std::to_string(user); };
  const auto list = [](int user) { return std::vector<int>{user, user + 1}; };
  auto [user, orders] = when_all(
      context, [&] { return find(id); }, [&] { return list(id); });
  CHECK(user == "user 3");
  CHECK(orders == std::vector{3, 4});
}

TEST_CASE("results come in the items' order whatever is ready first",
          "[parallel_map][concurrency]") {
  std::vector<int> items(40);
  std::iota(items.begin(), items.end(), 0);
  std::atomic<int> done = 0;
  const auto results = parallel_map(Context(), 4, items, [&](int item) {
    if (item == 0) eventually([&] { return done >= 30; });  // the first is ready late
    ++done;
    return item * 2;
  });
  REQUIRE(results.size() == 40);
  for (int i = 0; i < 40; ++i) CHECK(results[std::size_t(i)] == 2 * i);
}

TEST_CASE("results of bools and of types without a default are whole objects of their own",
          "[parallel_map][concurrency]") {
  struct Number {
    explicit Number(int v) : value(v) {}
    Number(Number&&) = default;
    int value;
  };
  std::vector<int> items(200);
  std::iota(items.begin(), items.end(), 0);
  const auto odd = parallel_map(Context(), 4, items, [](int i) { return i % 2 == 1; });
  const auto numbers = parallel_map(Context(), 4, items, [](int i) { return Number(i); });
  for (std::size_t i = 0; i < 200; ++i) {
    CHECK(odd[i] == (i % 2 == 1));
    CHECK(numbers[i].value == int(i));
  }
}

TEST_CASE("the first error is thrown as it is, and there are no results",
          "[parallel_map][concurrency]") {
  for (const std::size_t limit : {1, 4}) {
    const std::vector<int> orders{2, 4, -5, 6};
    std::optional<std::vector<int>> results;
    CHECK_THROWS_AS(results = parallel_map(Context(), limit, orders, half), BadOrder);
    CHECK_THROWS_WITH(results = parallel_map(Context(), limit, orders, half),
                      "invalid order id -5");
    CHECK_FALSE(results);
  }
}

TEST_CASE("an error stops the items that are not begun, and what runs sees the end",
          "[parallel_map][concurrency]") {
  std::vector<int> items(1000);
  std::iota(items.begin(), items.end(), 0);
  std::atomic<int> begun = 0;
  const auto work = [&](const Context& here, int item) {
    ++begun;
    if (item == 1) throw BadOrder(item);
    (void)here.sleep_for(1h);
    return item;
  };
  CHECK_THROWS_AS(parallel_map(Context(), 2, items, work), BadOrder);
  CHECK(begun < 5);
}

TEST_CASE("whatever is thrown comes as an Error, on the calling thread too",
          "[parallel_map][concurrency]") {
  for (const std::size_t limit : {1, 2}) {
    try {
      (void)parallel_map(Context(), limit, std::vector{1, 2}, [](int) -> int { throw 42; });
      FAIL("nothing was thrown");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::internal);
      CHECK(is<int>(error));
    }
  }
}

TEST_CASE("ten items with the limit three never run more at once", "[parallel_map][concurrency]") {
  Most most;
  const std::vector<int> items(10, 1);
  (void)parallel_map(Context(), 3, items, [&](const Context& here, int item) {
    const auto inside = most.enter();
    most.wait_for(3);
    (void)here.sleep_for(2ms);
    return item;
  });
  CHECK(most.reached() == 3);
}

TEST_CASE("one item, or the limit one, is worked on by the calling thread",
          "[parallel_map][concurrency]") {
  const auto here = std::this_thread::get_id();
  const auto thread = [](int) { return std::this_thread::get_id(); };
  CHECK(parallel_map(Context(), 8, std::vector{1}, thread).front() == here);
  CHECK(parallel_map(Context(), 1, std::vector{1, 2}, thread).back() == here);
  CHECK(parallel_map(Context(), 8, std::vector<int>(), thread).empty());
  CHECK_THROWS_AS(parallel_map(Context(), 0, std::vector{1}, thread), Error);
}

TEST_CASE("fifty thousand items take no more threads than the limit and little memory",
          "[parallel_map][concurrency]") {
  const ThreadCount threads;
  std::atomic<std::size_t> most = 0;
  const auto before = millrace_test::resident_bytes();
  const auto items = std::views::iota(0, 50000);
  const auto results = parallel_map(Context(), 4, items, [&](int item) {
    if (item % 1000 == 0) most = std::max<std::size_t>(most, millrace_test::live_threads());
    return item;
  });
  CHECK(results.size() == 50000);
  CHECK(most <= threads.before() + 4);
  CHECK(millrace_test::resident_bytes() < before + (64u << 20));
  CHECK(threads.as_before());
}

TEST_CASE("a map whose context ends throws that it was cancelled", "[parallel_map][concurrency]") {
  for (const std::size_t limit : {1, 3}) {
    const Context context;
    std::atomic<int> begun = 0;
    try {
      (void)parallel_map(context, limit, std::views::iota(0, 100), [&](int item) {
        ++begun;
        context.cancel();
        return item;
      });
      FAIL("it gave results");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::cancelled);
    }
    CHECK(begun <= int(limit));
  }
}

TEST_CASE("collecting tells of each item its value or its error", "[parallel_map][concurrency]") {
  const std::vector<int> orders{2, -1, 4, -3, 6, 8, -5, 10};
  const auto outcomes = parallel_collect(Context(), 3, orders, half);
  REQUIRE(outcomes.size() == orders.size());
  for (std::size_t i = 0; i < orders.size(); ++i) {
    CHECK(bool(outcomes[i]) == (orders[i] > 0));
    if (outcomes[i]) {
      CHECK(*outcomes[i] == orders[i] / 2);
    } else {
      REQUIRE(outcomes[i].fault());
      CHECK(is<BadOrder>(*outcomes[i].fault()));
      CHECK_THAT(outcomes[i].fault()->error().what(), ContainsSubstring(std::to_string(orders[i])));
    }
  }
}

TEST_CASE("items that a cancelled collection never began are told from those with a value",
          "[parallel_map][concurrency]") {
  const Context context;
  std::atomic<int> done = 0;
  auto outcomes = parallel_collect(context, 2, std::views::iota(0, 50), [&](int item) {
    // The other thread: every item in front has been begun, and no further one before the end.
    if (item == 10 && eventually([&] { return done == 10; })) context.cancel();
    if (item == 11) (void)context.sleep_for(1h);
    ++done;
    return item;
  });
  REQUIRE(outcomes.size() == 50);
  for (std::size_t i = 0; i < 10; ++i) CHECK(outcomes[i]);
  for (std::size_t i = 12; i < 50; ++i) CHECK(outcomes[i].not_started());
  CHECK_THROWS_WITH(outcomes[20].take(), "not started");
  CHECK(context.cause() == Cause::cancelled);
}

TEST_CASE("an outcome is a value, an error or not started", "[parallel_map][concurrency]") {
  Outcome<std::unique_ptr<int>> none;
  CHECK(none.not_started());
  CHECK_FALSE(none);
  CHECK_FALSE(none.fault());
  Outcome<std::unique_ptr<int>> value(std::make_unique<int>(5));
  CHECK(value);
  CHECK(*value.take() == 5);
  auto failed = Outcome<int>::of([]() -> int { throw BadOrder(-5); });
  CHECK_FALSE(failed);
  CHECK_FALSE(failed.not_started());
  CHECK_THROWS_AS(failed.take(), BadOrder);
}

TEST_CASE("a stream takes results as they are ready", "[parallel_map][concurrency]") {
  const Context gate;
  std::vector<std::size_t> order;
  const auto work = [&](int item) {
    if (item == 0) (void)gate.sleep_for(1h);
    return item;
  };
  parallel_stream(Context(), 2, std::views::iota(0, 5), work, [&](std::size_t i, Outcome<int>) {
    order.push_back(i);
    if (order.size() == 4) gate.cancel();
  });
  CHECK(order == std::vector<std::size_t>{1, 2, 3, 4, 0});
}

TEST_CASE("a stream in order holds back what is early, and reads no further than its window",
          "[parallel_map][concurrency]") {
  const ThreadCount threads;
  const Context gate;
  std::atomic<int> read = 0;
  std::vector<std::size_t> order;
  int furthest = 0;
  auto items = std::views::iota(0, 100) | std::views::transform([&](int i) {
                 read = std::max(read.load(), i + 1);
                 return i;
               });
  const auto work = [&](int item) {
    if (item == 0) eventually([&] { return read == 8; });
    if (item == 99) throw BadOrder(item);
    return item;
  };
  const auto take = [&](std::size_t i, Outcome<int> outcome) {
    furthest = std::max(furthest, read - int(i));
    if (outcome) CHECK(*outcome == int(i));
    order.push_back(i);
  };
  parallel_stream(Context(), 2, items, work, take, Arrival::in_order);
  REQUIRE(order.size() == 100);
  CHECK(std::ranges::is_sorted(order));
  CHECK(furthest <= 8);  // four times the limit
  CHECK(threads.as_before());
}

TEST_CASE("a stream of fifty thousand items needs neither a list nor a thread for each",
          "[parallel_map][concurrency]") {
  const ThreadCount threads;
  const auto before = millrace_test::resident_bytes();
  std::size_t most = 0;
  long sum = 0;
  const auto take = [&](std::size_t i, Outcome<int> outcome) {
    sum += *outcome;
    if (i % 1000 == 0) most = std::max(most, millrace_test::live_threads());
  };
  const auto items = std::views::iota(0, 50000);
  parallel_stream(
      Context(), 3, items, [](int item) { return item; }, take);
  CHECK(sum == 1249975000);
  CHECK(most <= threads.before() + 3);
  CHECK(millrace_test::resident_bytes() < before + (64u << 20));
}

TEST_CASE("a stream ends with its context or with what take throws",
          "[parallel_map][concurrency]") {
  const ThreadCount threads;
  const Context context;
  const auto work = [](const Context& here, int item) {
    (void)here.sleep_for(item == 3 ? 1h : 0h);
    return item;
  };
  const auto items = std::views::iota(0, 1000);
  CHECK_THROWS_AS(parallel_stream(Context(), 2, items, work,
                                  [](std::size_t i, Outcome<int>) {
                                    if (i == 2) throw BadOrder(2);
                                  }),
                  BadOrder);
  CHECK_THROWS_WITH(parallel_stream(context, 2, items, work,
                                    [&](std::size_t i, Outcome<int>) {
                                      if (i == 2) context.cancel();
                                    }),
                    "cancelled");
  CHECK(threads.as_before());
}

TEST_CASE("when one of all fails the others are cancelled", "[parallel_map][concurrency]") {
  std::atomic<bool> woken = false;
  const auto slow = [&](const Context& here) {
    woken = !here.sleep_for(1h);
    here.check();
    return 1;
  };
  CHECK_THROWS_AS(when_all(
                      Context(), slow, []() -> std::string { throw BadOrder(-7); }, [] {}),
                  BadOrder);
  CHECK(woken);
  const auto [number, nothing] = when_all(
      Context(), [] { return 5; }, [] {});
  CHECK(number == 5);
  static_assert(std::is_same_v<decltype(nothing), const std::monostate>);
  const Context done;
  done.cancel();
  CHECK_THROWS_WITH(when_all(done, [] { return 1; }), "cancelled");
}

TEST_CASE("a thousand and five records make eleven batches, five at a time",
          "[parallel_map][concurrency]") {
  std::vector<int> records(1005);
  std::iota(records.begin(), records.end(), 0);
  Most most;
  const auto sums = parallel_map(
      Context(), 5, chunks(records, 100), [&](const Context& here, std::span<int> batch) {
        const auto inside = most.enter();  // the batch's transaction
        (void)here.sleep_for(1ms);
        return std::pair(batch.size(), std::accumulate(batch.begin(), batch.end(), 0));
      });
  REQUIRE(sums.size() == 11);
  int total = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    CHECK(sums[i].first == (i < 10 ? 100u : 5u));
    total += sums[i].second;
  }
  CHECK(total == 1005 * 1004 / 2);
  CHECK(most.reached() <= 5);
  CHECK(chunks(std::span(records).first(0), 3).empty());
  CHECK_THROWS_AS(chunks(records, 0), Error);
}
