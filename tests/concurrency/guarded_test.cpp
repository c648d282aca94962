// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/guarded.hpp"

#include <atomic>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "millrace/channel.hpp"
#include "millrace/error.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using millrace_test::eventually;

namespace {

using Numbers = std::vector<int>;
using GiveReference = int& (*)(Numbers&);
using GiveCopy = int (*)(Numbers&);
using Write = void (*)(Numbers&);
using Look = int (*)(const Numbers&);

template <class G, class F>
concept may_with = requires(G& guarded, F function) {
  guarded.with(function);
};
template <class G, class F>
concept may_read = requires(const G& guarded, F function) {
  guarded.read(function);
};

template <class G>
constexpr bool has_no_way_around =
    may_with<G, GiveCopy>&& may_with<G, Write> && !may_with<const G, Write> &&
    !may_with<G, GiveReference> && may_read<G, Look> && !may_read<G, Write> &&
    !may_read<G, const int& (*)(const Numbers&)> && !std::is_copy_constructible_v<G> &&
    !std::is_move_constructible_v<G>;
static_assert(has_no_way_around<Guarded<Numbers>> && has_no_way_around<SharedGuarded<Numbers>>);

}  // namespace

TEST_CASE("the example of guarded.hpp counts its names", "[guarded]") {
  const std::string name = "a";
  Guarded<std::vector<std::string>> names;
  names.with([&](auto& list) { list.push_back(name); });
  const auto count = names.read([](const auto& list) { return list.size(); });
  CHECK(count == 1);
}

TEMPLATE_TEST_CASE("a thousand concurrent additions of ten are ten thousand", "[guarded]",
                   Guarded<int>, SharedGuarded<int>) {
  TestType sum(0);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 10; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 100; ++k) sum.with([](int& value) { value += 10; });
    });
  threads.clear();
  CHECK(sum.read([](int value) { return value; }) == 10000);
}

TEMPLATE_TEST_CASE("a guarded value is free again after a throw", "[guarded]", Guarded<int>,
                   SharedGuarded<int>) {
  TestType value(1);
  CHECK_THROWS_AS(value.with([](int&) { throw std::runtime_error("no"); }), std::runtime_error);
  CHECK_THROWS_AS(value.read([](const int&) { throw std::runtime_error("no"); }),
                  std::runtime_error);
  CHECK(value.with([](int& number) { return ++number; }) == 2);
}

TEMPLATE_TEST_CASE("a second lock by the same thread is an error, and the first one stays",
                   "[guarded]", Guarded<int>, SharedGuarded<int>) {
  TestType value(1), other(5);
  const auto look = [&](const int&) { return value.read([](int number) { return number; }); };
  CHECK_THROWS_WITH(value.with(look), ContainsSubstring("by who holds its lock"));
  CHECK_THROWS_AS(value.read(look), Error);
  CHECK_THROWS_AS(value.read([&](const int&) { return other.with(look); }), Error);
  CHECK(value.with([&](int& number) {
    CHECK_THROWS_AS(value.with([](int&) {}), Error);
    return ++number;
  }) == 2);
  int seen = 0;
  std::jthread([&] { seen = value.read([](int number) { return number; }); }).join();
  CHECK(seen == 2);
}

TEST_CASE("readers overlap", "[guarded]") {
  const SharedGuarded<int> value(7);
  std::atomic<int> inside = 0, met = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 4; ++i)
    readers.emplace_back([&] {
      met += value.read([&](int) {
        ++inside;
        return eventually([&] { return inside == 4; });
      });
    });
  readers.clear();
  CHECK(met == 4);
}

TEST_CASE("a writer is alone", "[guarded]") {
  SharedGuarded<int> value(0);
  std::atomic<int> readers = 0, writers = 0, wrong = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 150; ++round) {
        if (i < 2) {
          value.with([&](int& number) {
            wrong += writers++ != 0 || readers != 0;
            ++number;
            std::this_thread::yield();
            --writers;
          });
        } else {
          value.read([&](const int&) {
            ++readers;
            wrong += writers != 0;
            std::this_thread::yield();
            --readers;
          });
        }
      }
    });
  threads.clear();
  CHECK(wrong == 0);
  CHECK(value.read([](int number) { return number; }) == 300);
}

TEST_CASE("readers that come and go without end do not keep a writer out", "[guarded]") {
  SharedGuarded<int> value(0);
  std::atomic<bool> written = false, stop = false;
  std::vector<std::atomic<int>> rounds(2);
  std::vector<std::jthread> readers;
  // Each reader stays until the other has come again, so that there is never none.
  for (std::size_t i = 0; i < 2; ++i)
    readers.emplace_back([&, i] {
      while (!written && !stop)
        value.read([&](const int&) {
          const int other = rounds[1 - i];
          ++rounds[i];
          for (int look = 0; look < 100 && rounds[1 - i] == other && !written; ++look)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        });
    });
  REQUIRE(eventually([&] { return rounds[0] > 2 && rounds[1] > 2; }));
  std::jthread writer([&] {
    value.with([](int& number) { number = 1; });
    written = true;
  });
  CHECK(eventually([&] { return written.load(); }));
  stop = true;
}

TEST_CASE("writers that come without end do not keep a reader out", "[guarded]") {
  SharedGuarded<int> value(0);
  std::atomic<bool> stop = false, seen = false;
  std::vector<std::jthread> writers;
  for (int i = 0; i < 3; ++i)
    writers.emplace_back([&] {
      while (!stop) value.with([](int& number) { ++number; });
    });
  std::jthread reader([&] { seen = value.read([](int) { return true; }); });
  CHECK(eventually([&] { return seen.load(); }));
  stop = true;
}

TEST_CASE("results that come through a channel need no lock around the map", "[guarded]") {
  const Context context;
  const Channel<std::pair<int, int>> results(2);
  std::vector<std::jthread> workers;
  for (int worker = 0; worker < 4; ++worker)
    workers.emplace_back([worker, to = results.sender()] {
      for (int i = worker; i < 100; i += 4) (void)to.push(Context(), {i, i * i});
    });
  std::jthread closer([&] {
    workers.clear();
    results.close();
  });
  std::map<int, int> squares;
  for (const auto& [number, square] : results.receiver().each(context)) squares[number] = square;
  closer.join();
  CHECK(squares.size() == 100);
  CHECK(squares[99] == 9801);
}
