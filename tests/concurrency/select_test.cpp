// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/select.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using millrace_test::eventually;

TEST_CASE("the example of select.hpp takes from the one channel that has something", "[channel]") {
  const Channel<int> full(0), filled(1);
  const auto left = full.sender();
  const auto right = filled.receiver();
  REQUIRE(filled.sender().try_push(7) == ChannelStatus::ok);
  const Context context;
  int value = 1;
  std::optional<int> slot;

  Select select;
  const auto sent = select.send(left, value);
  const auto got = select.receive(right, slot);
  const auto [status, index] = select.wait(context.child(1min));
  CHECK(status == ChannelStatus::ok);
  CHECK(index == got);
  CHECK(index != sent);
  CHECK(slot == 7);
  CHECK(value == 1);
  CHECK(full.counts().pushers == 0);
}

TEST_CASE("a select waits for the first channel that has room", "[channel]") {
  const Channel<std::unique_ptr<int>> first(1), second(1);
  const std::array to{first.sender(), second.sender()};
  for (const auto& end : to) REQUIRE(end.try_push(nullptr) == ChannelStatus::ok);
  Select::Outcome outcome{};
  auto value = std::make_unique<int>(5);
  std::jthread sender([&] {
    Select select;
    for (const auto& end : to) select.send(end, value);
    outcome = select.wait(Context());
  });
  REQUIRE(eventually([&] { return second.counts().pushers == 1; }));
  CHECK(first.counts().pushers == 1);
  CHECK(second.receiver().try_pop());
  sender.join();
  CHECK(outcome.status == ChannelStatus::ok);
  CHECK(outcome.index == 1);
  CHECK_FALSE(value);
  CHECK(**second.receiver().try_pop() == 5);
  CHECK(first.counts().pushers == 0);
  CHECK(first.counts().depth == 1);
}

TEST_CASE("a select that cannot go on at once says so and leaves no trace", "[channel]") {
  const Channel<int> full, empty;
  const auto to = full.sender(), open = empty.sender();
  const auto from = empty.receiver();
  int value = 3;
  std::optional<int> slot = 9;
  Select select;
  select.send(to, value);
  select.receive(from, slot);
  CHECK(select.try_now().status == ChannelStatus::would_block);
  CHECK(select.try_now().index == Select::none);
  CHECK_FALSE(slot);
  CHECK(value == 3);
  CHECK(full.counts().pushers + empty.counts().poppers == 0);
  CHECK(Select().try_now().status == ChannelStatus::would_block);
}

TEST_CASE("a done context, a timeout and a cancel end a select that keeps its value", "[channel]") {
  const Channel<int> full(1), never;
  const auto to = full.sender();
  const auto from = never.receiver();
  const auto open = never.sender();
  int value = 3;
  std::optional<int> slot;
  Select select;
  select.send(to, value);
  select.receive(from, slot);
  CHECK(select.wait(Context().child(-1s)).status == ChannelStatus::deadline);
  CHECK(full.counts().depth == 0);
  REQUIRE(to.try_push(0) == ChannelStatus::ok);
  CHECK(select.wait(Context().child(5ms)).status == ChannelStatus::deadline);
  const Context context;
  std::jthread canceller([&] {
    eventually([&] { return full.counts().pushers == 1; });
    context.cancel();
  });
  CHECK(select.wait(context).status == ChannelStatus::cancelled);
  CHECK(value == 3);
  CHECK(full.counts().pushers + never.counts().poppers == 0);
  CHECK(Select().wait(Context().child(1ms)).status == ChannelStatus::deadline);
}

TEST_CASE("a channel that is closed, before or during the wait, ends a select", "[channel]") {
  const Channel<int> open, closing;
  const auto keeps = open.sender(), to = closing.sender();
  const auto from = open.receiver();
  int value = 4;
  std::optional<int> slot;
  Select select;
  select.receive(from, slot);
  const auto sent = select.send(to, value);
  std::jthread closer([&] {
    eventually([&] { return closing.counts().pushers == 1; });
    closing.close();
  });
  for (int round = 0; round < 2; ++round) {
    const auto [status, index] = select.wait(Context());
    CHECK(status == ChannelStatus::closed);
    CHECK(index == sent);
  }
  CHECK(value == 4);
  Select nowhere;
  nowhere.send(Sender<int>(), value);
  CHECK(nowhere.try_now().status == ChannelStatus::closed);
}

TEST_CASE("each of several ready channels gets its share of the selects", "[channel]") {
  constexpr std::size_t ready = 4, rounds = 2000;
  std::vector<Channel<int>> channels;
  std::vector<Sender<int>> to;
  for (std::size_t i = 0; i < 10; ++i) channels.emplace_back(i < ready ? rounds : 0);
  for (const auto& channel : channels) to.push_back(channel.sender());
  int value = 0;
  Select select;
  for (const auto& end : to) select.send(end, value);
  for (std::size_t i = 0; i < rounds; ++i)
    REQUIRE(select.wait(Context()).status == ChannelStatus::ok);
  for (std::size_t i = 0; i < ready; ++i) CHECK(channels[i].counts().depth >= rounds / ready / 4);
}

TEST_CASE("a select stands in line behind those who came before", "[channel]") {
  const Channel<int> channel(0), other(0);
  const auto to = channel.sender(), elsewhere = other.sender();
  std::vector<std::jthread> threads;
  threads.emplace_back([&] { (void)to.push(Context(), 1); });
  REQUIRE(eventually([&] { return channel.counts().pushers == 1; }));
  threads.emplace_back([&] {
    int value = 2;
    Select select;
    select.send(elsewhere, value);
    select.send(to, value);
    (void)select.wait(Context());
  });
  REQUIRE(eventually([&] { return channel.counts().pushers == 2; }));
  threads.emplace_back([&] { (void)to.push(Context(), 3); });
  REQUIRE(eventually([&] { return channel.counts().pushers == 3; }));
  for (int i = 1; i <= 3; ++i) CHECK(channel.receiver().pop(Context()).value == i);
}

TEST_CASE("a value goes past a select that has been served elsewhere", "[channel]") {
  for (int round = 0; round < 200; ++round) {
    const Channel<int> left, right;
    const auto from_left = left.receiver(), from_right = right.receiver();
    const auto to_left = left.sender(), to_right = right.sender();
    std::optional<int> one, two;
    std::jthread selecting([&] {
      Select select;
      select.receive(from_left, one);
      select.receive(from_right, two);
      (void)select.wait(Context());
    });
    REQUIRE(eventually([&] { return right.counts().poppers == 1; }));
    std::array<ChannelStatus, 2> sent{};
    std::jthread first([&] { sent[0] = to_left.try_push(1); });
    std::jthread second([&] { sent[1] = to_right.try_push(2); });
    for (auto* thread : {&selecting, &first, &second}) thread->join();
    REQUIRE((sent[0] == ChannelStatus::ok) != (sent[1] == ChannelStatus::ok));
    REQUIRE(one.has_value() == (sent[0] == ChannelStatus::ok));
    REQUIRE(two.has_value() == (sent[1] == ChannelStatus::ok));
  }
}

TEST_CASE("selects at both ends of hand-overs pass every value once", "[channel]") {
  constexpr int count = 2000;
  const std::array<Channel<int>, 2> channels;
  std::array<std::vector<int>, 2> got;
  {
    std::vector<std::jthread> threads;
    for (int side = 0; side < 2; ++side)
      threads.emplace_back([&, to = std::array{channels[0].sender(), channels[1].sender()}] {
        for (int n = 0; n < count; ++n) {
          int value = n;
          Select select;
          for (const auto& end : to) select.send(end, value);
          if (select.wait(Context()).status != ChannelStatus::ok) return;
        }
      });
    for (auto& own : got)
      threads.emplace_back([&, from = std::array{channels[1].receiver(), channels[0].receiver()}] {
        std::array<std::optional<int>, 2> slots;
        Select select;
        for (std::size_t i = 0; i < 2; ++i) select.receive(from[i], slots[i]);
        for (int n = 0; n < count; ++n)
          if (const auto [status, index] = select.wait(Context()); status == ChannelStatus::ok)
            own.push_back(*slots[index]);
      });
  }
  std::vector<int> seen(count);
  for (const auto& own : got)
    for (const int value : own) ++seen[static_cast<std::size_t>(value)];
  CHECK(seen == std::vector<int>(count, 2));
}

TEST_CASE("one select that pushes to and pops from the same channel needs a second", "[channel]") {
  const Channel<int> channel;
  const auto to = channel.sender();
  const auto from = channel.receiver();
  std::atomic<int> pushed = 0, popped = 0;
  const auto both = [&] {
    for (int n = 0; n < 500; ++n) {
      int value = n;
      std::optional<int> slot;
      Select select;
      const auto sent = select.send(to, value);
      select.receive(from, slot);
      ++(select.wait(Context()).index == sent ? pushed : popped);
    }
  };
  int value = 0;
  std::optional<int> slot;
  Select alone;
  alone.send(to, value);
  alone.receive(from, slot);
  CHECK(alone.wait(Context().child(5ms)).status == ChannelStatus::deadline);
  std::jthread one(both), two(both);
  one.join();
  two.join();
  CHECK(pushed == 500);
  CHECK(popped == 500);
}

TEST_CASE("selects under random cancels neither lose nor double a value", "[channel]") {
  for (const std::size_t capacity : {0, 2}) {
    const std::array channels{Channel<std::unique_ptr<int>>(capacity),
                              Channel<std::unique_ptr<int>>(capacity)};
    std::atomic<int> accepted = 0, taken = 0, wrong = 0;
    std::vector<std::jthread> threads;
    for (unsigned p = 0; p < 3; ++p)
      threads.emplace_back([&, p, to = std::array{channels[0].sender(), channels[1].sender()}] {
        for (unsigned i = 0; i < 400; ++i) {
          auto value = std::make_unique<int>(1);
          Select select;
          for (const auto& end : to) select.send(end, value);
          const auto status =
              select.wait(Context().child(std::chrono::microseconds((i * 7 + p) % 60))).status;
          accepted += status == ChannelStatus::ok;
          wrong += (status == ChannelStatus::ok) == (value != nullptr);
        }
      });
    for (std::size_t c = 0; c < 2; ++c)
      threads.emplace_back([&, from = channels[c].receiver()] {
        const Context context;
        for (const auto& value : from.each(context)) taken += *value;
      });
    threads.clear();
    CHECK(accepted == taken);
    CHECK(wrong == 0);
  }
}
