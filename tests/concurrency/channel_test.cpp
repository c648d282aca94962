// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/channel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using millrace_test::eventually;

namespace {

template <class End, class T>
concept pushes = requires(End end, T value) {
  end.push(Context(), std::move(value));
};
template <class End>
concept pops = requires(End end) {
  end.pop(Context());
};
template <class End>
concept closes = requires(End end) {
  end.close();
};

static_assert(pushes<Sender<int>, int> && closes<Sender<int>> && !pops<Sender<int>>);
static_assert(pops<Receiver<int>> && !pushes<Receiver<int>, int> && !closes<Receiver<int>>);

/// Counts its living instances.
struct Counted {
  explicit Counted(std::atomic<int>& living) : count(&living) { ++*count; }
  Counted(Counted&& other) noexcept : count(other.count) { ++*count; }
  ~Counted() { --*count; }
  std::atomic<int>* count;
};

struct Signal {};

}  // namespace

TEST_CASE("a channel takes its capacity without waiting and no more", "[channel]") {
  const Channel<int> channel(3);
  const auto to = channel.sender();
  for (int i = 0; i < 3; ++i) CHECK(to.try_push(int(i)) == ChannelStatus::ok);
  CHECK(to.try_push(3) == ChannelStatus::would_block);
  CHECK(channel.capacity() == 3);
  CHECK(channel.counts().depth == 3);
  CHECK(channel.receiver().try_pop().value == 0);
  CHECK(channel.counts().depth == 2);
  CHECK(channel.counts().high_water == 3);
}

TEST_CASE("a hand-over ends when the value is taken", "[channel]") {
  const Channel<int> channel;
  std::atomic<bool> returned = false;
  int written_before = 0;
  ChannelStatus status{};
  std::jthread producer([&, to = channel.sender()] {
    written_before = 1;
    status = to.push(Context(), 7);
    returned = true;
  });
  REQUIRE(eventually([&] { return channel.counts().pushers == 1; }));
  CHECK_FALSE(returned);
  CHECK(channel.counts().depth == 0);
  CHECK(channel.receiver().pop(Context()).value == 7);
  CHECK(written_before == 1);
  producer.join();
  CHECK(status == ChannelStatus::ok);
}

TEST_CASE("a hand-over does not wait for a receiver that waits already", "[channel]") {
  const Channel<int> channel;
  const auto to = channel.sender();
  CHECK(to.try_push(1) == ChannelStatus::would_block);
  std::optional<int> got;
  std::jthread consumer([&, from = channel.receiver()] { got = from.pop(Context()).value; });
  REQUIRE(eventually([&] { return channel.counts().poppers == 1; }));
  CHECK(to.try_push(2) == ChannelStatus::ok);
  consumer.join();
  CHECK(got == 2);
}

TEST_CASE("a push into a full channel goes on after one pop", "[channel]") {
  const Channel<int> channel(1);
  const auto to = channel.sender();
  REQUIRE(to.push(Context(), 1) == ChannelStatus::ok);
  ChannelStatus status{};
  std::jthread producer([&] { status = to.push(Context(), 2); });
  REQUIRE(eventually([&] { return channel.counts().pushers == 1; }));
  CHECK(channel.receiver().pop(Context()).value == 1);
  producer.join();
  CHECK(status == ChannelStatus::ok);
  CHECK(channel.receiver().pop(Context()).value == 2);
  CHECK(channel.counts().high_water == 1);
}

TEST_CASE("how long pushes and pops were kept waiting is counted", "[channel]") {
  const Channel<int> channel;
  const auto keep_waiting = [&](auto wait, auto end, auto time) {
    // One that stands still before it waits, or after, is not kept waiting: another round.
    for (int round = 0; round < 100 && time(channel.counts()) < 5ms; ++round) {
      std::jthread waiter(wait);
      REQUIRE(eventually([&] { return channel.counts().pushers + channel.counts().poppers == 1; }));
      std::this_thread::sleep_for(5ms);
      end();
    }
    CHECK(time(channel.counts()) >= 5ms);
  };
  const auto push = [to = channel.sender()] { (void)to.push(Context(), 1); };
  const auto pop = [from = channel.receiver()] { (void)from.pop(Context()); };
  keep_waiting(push, pop, [](const ChannelCounts& counts) { return counts.blocked_full; });
  keep_waiting(pop, push, [](const ChannelCounts& counts) { return counts.blocked_empty; });
}

TEST_CASE("waiting pushes are served first come, first served", "[channel]") {
  const Channel<int> channel(1);
  const auto to = channel.sender();
  REQUIRE(to.try_push(0) == ChannelStatus::ok);
  std::vector<std::jthread> producers;
  for (int i = 1; i <= 4; ++i) {
    producers.emplace_back([&, i] { (void)to.push(Context(), int(i)); });
    REQUIRE(eventually([&] { return channel.counts().pushers == std::size_t(i); }));
  }
  CHECK(to.try_push(9) == ChannelStatus::would_block);
  for (int i = 0; i <= 4; ++i) CHECK(channel.receiver().pop(Context()).value == i);
}

TEST_CASE("a cancelled push keeps its value, and nobody gets it", "[channel]") {
  for (const std::size_t capacity : {0, 1}) {
    const Channel<std::unique_ptr<int>> channel(capacity);
    const auto to = channel.sender();
    if (capacity == 1) REQUIRE(to.try_push(std::make_unique<int>(1)) == ChannelStatus::ok);
    const Context context;
    std::jthread canceller([&] {
      eventually([&] { return channel.counts().pushers == 1; });
      context.cancel();
    });
    auto value = std::make_unique<int>(2);
    CHECK(to.push(context, std::move(value)) == ChannelStatus::cancelled);
    REQUIRE(value);
    CHECK(*value == 2);
    if (capacity == 1) CHECK(*channel.receiver().pop(Context()).value.value() == 1);
    CHECK(channel.receiver().try_pop().status == ChannelStatus::would_block);
  }
}

TEST_CASE("a push that waits past its deadline keeps its value", "[channel]") {
  const Channel<std::string> channel;
  const auto to = channel.sender();
  std::string value = "a value that is too long for the small string";
  const auto since = Context::Clock::now();
  CHECK(to.push(Context().child(20ms), std::move(value)) == ChannelStatus::deadline);
  CHECK(Context::Clock::now() - since >= 20ms);
  CHECK(value == "a value that is too long for the small string");
  CHECK(channel.counts().pushers == 0);
}

TEST_CASE("a pop that is cancelled or late loses nothing", "[channel]") {
  const Channel<int> channel(1);
  const auto from = channel.receiver();
  CHECK(from.pop(Context().child(5ms)).status == ChannelStatus::deadline);
  const Context context;
  std::jthread canceller([&] {
    eventually([&] { return channel.counts().poppers == 1; });
    context.cancel();
  });
  const auto popped = from.pop(context);
  CHECK(popped.status == ChannelStatus::cancelled);
  CHECK_FALSE(popped.value);
  const auto to = channel.sender();
  REQUIRE(to.try_push(5) == ChannelStatus::ok);
  CHECK(from.pop(Context()).value == 5);
}

TEST_CASE("the end of a context above wakes who waits below it", "[channel]") {
  const Channel<int> channel;
  const Context root;
  std::jthread canceller([&] {
    eventually([&] { return channel.counts().poppers == 1; });
    root.cancel();
  });
  const Context below = root.child().child(1h);
  CHECK(channel.receiver().pop(below).status == ChannelStatus::cancelled);
}

TEST_CASE("a waiter that leaves takes no wake-up with it", "[channel]") {
  const Channel<int> channel(1);
  const auto to = channel.sender();
  for (int round = 0; round < 120; ++round) {
    const Context leaves, stays;
    std::array<Popped<int>, 2> popped;
    std::jthread first([&] { popped[0] = channel.receiver().pop(leaves); });
    std::jthread second([&] { popped[1] = channel.receiver().pop(stays.child(5min)); });
    REQUIRE(eventually([&] { return channel.counts().poppers == 2; }));
    std::jthread pusher([&] { (void)to.try_push(int(round)); });
    leaves.cancel();
    pusher.join();
    first.join();
    if (popped[0]) stays.cancel();  // it had the value before it saw the end
    second.join();
    REQUIRE(popped[0].value.has_value() != popped[1].value.has_value());
    CHECK(popped[popped[0] ? 0 : 1].value == round);
  }
}

TEST_CASE("one producer's values arrive in their order", "[channel]") {
  for (const std::size_t capacity : {0, 1, 64}) {
    const Channel<int> channel(capacity);
    const int count = capacity == 64 ? 20000 : 3000;
    std::jthread producer([&, to = channel.sender()] {
      for (int i = 0; i < count; ++i)
        if (to.push(Context(), int(i)) != ChannelStatus::ok) return;
    });
    int next = 0;
    bool in_order = true;
    const Context context;
    for (const int value : channel.receiver().each(context)) in_order &= value == next++;
    CHECK(in_order);
    CHECK(next == count);
  }
}

TEST_CASE("four producers and four consumers pass every value exactly once", "[channel]") {
  for (const std::size_t capacity : {0, 1, 3, 128}) {
    constexpr int each = 1500;
    Channel<std::unique_ptr<int>> channel(capacity);
    std::vector<std::atomic<int>> seen(4 * each);
    std::atomic<int> refused = 0;
    std::vector<std::jthread> threads;
    for (int p = 0; p < 4; ++p)
      threads.emplace_back([&, p, to = channel.sender()] {
        for (int i = 0; i < each; ++i)
          if (to.push(Context(), std::make_unique<int>(p * each + i)) != ChannelStatus::ok)
            ++refused;
      });
    for (int c = 0; c < 4; ++c)
      threads.emplace_back([&, from = channel.receiver()] {
        while (auto value = from.pop(Context())) ++seen[static_cast<std::size_t>(**value)];
      });
    threads.clear();
    CHECK(refused == 0);
    CHECK(std::ranges::all_of(seen, [](const auto& times) { return times == 1; }));
  }
}

TEST_CASE("a closed channel refuses, gives what is left, and stays closed", "[channel]") {
  const Channel<std::string> channel(4);
  const auto to = channel.sender();
  const auto from = channel.receiver();
  REQUIRE(to.try_push("first") == ChannelStatus::ok);
  REQUIRE(to.try_push("second") == ChannelStatus::ok);
  CHECK(channel.close());
  CHECK_FALSE(channel.close());
  std::string late = "late";
  CHECK(to.push(Context(), std::move(late)) == ChannelStatus::closed);
  CHECK(to.try_push(std::move(late)) == ChannelStatus::closed);
  CHECK(late == "late");
  CHECK(from.pop(Context()).value == "first");
  CHECK(from.try_pop().value == "second");
  for (int i = 0; i < 3; ++i) CHECK(from.pop(Context()).status == ChannelStatus::closed);
  CHECK(from.try_pop().status == ChannelStatus::closed);
  CHECK(channel.sender().try_push("never") == ChannelStatus::closed);
}

TEST_CASE("closing wakes every receiver that waits", "[channel]") {
  const Channel<int> channel(2);
  auto to = channel.sender();
  std::atomic<int> closed = 0;
  std::vector<std::jthread> consumers;
  for (int i = 0; i < 5; ++i)
    consumers.emplace_back([&, from = channel.receiver()] {
      if (from.pop(Context()).status == ChannelStatus::closed) ++closed;
    });
  REQUIRE(eventually([&] { return channel.counts().poppers == 5; }));
  CHECK(to.close());
  consumers.clear();
  CHECK(closed == 5);
}

TEST_CASE("closing wakes every sender that waits, and each keeps its value", "[channel]") {
  const Channel<std::unique_ptr<int>> channel(0);
  const auto to = channel.sender();
  std::atomic<int> kept = 0;
  std::vector<std::jthread> producers;
  for (int i = 0; i < 5; ++i)
    producers.emplace_back([&, i] {
      auto value = std::make_unique<int>(i);
      if (to.push(Context(), std::move(value)) == ChannelStatus::closed && value && *value == i)
        ++kept;
    });
  REQUIRE(eventually([&] { return channel.counts().pushers == 5; }));
  channel.close();
  producers.clear();
  CHECK(kept == 5);
  CHECK(channel.receiver().try_pop().status == ChannelStatus::closed);
}

TEST_CASE("the last of several senders closes", "[channel]") {
  const Channel<int> channel(4);
  auto first = channel.sender();
  auto second = first;
  auto third = std::move(second);
  CHECK_FALSE(second.close());
  CHECK(first.close());
  CHECK_FALSE(first.close());
  CHECK(first.try_push(1) == ChannelStatus::closed);
  CHECK(channel.receiver().try_pop().status == ChannelStatus::would_block);
  CHECK(third.try_push(2) == ChannelStatus::ok);
  third = Sender<int>();
  CHECK(channel.receiver().pop(Context()).value == 2);
  CHECK(channel.receiver().pop(Context()).status == ChannelStatus::closed);
}

TEST_CASE("a context that is done fails first, and try_pop has what is left", "[channel]") {
  const Channel<int> channel(2);
  const auto to = channel.sender();
  REQUIRE(to.try_push(1) == ChannelStatus::ok);
  const Context done;
  done.cancel();
  int value = 2;
  CHECK(to.push(done, std::move(value)) == ChannelStatus::cancelled);
  CHECK(to.push(Context().child(0s), std::move(value)) == ChannelStatus::deadline);
  CHECK(channel.receiver().pop(done).status == ChannelStatus::cancelled);
  CHECK(channel.receiver().try_pop().value == 1);
}

TEST_CASE("an empty type makes a channel of signals", "[channel]") {
  const Channel<Signal> channel(1);
  std::jthread worker([to = channel.sender()] { (void)to.push(Context(), {}); });
  CHECK(channel.receiver().pop(Context()));
  CHECK(channel.receiver().pop(Context()).status == ChannelStatus::closed);
}

TEST_CASE("a channel destroys what it still holds exactly once", "[channel]") {
  std::atomic<int> living = 0;
  {
    Channel<Counted> channel(8);
    const auto to = channel.sender();
    for (int i = 0; i < 5; ++i) REQUIRE(to.try_push(Counted(living)) == ChannelStatus::ok);
    CHECK(living == 5);
    CHECK(channel.receiver().try_pop());
    CHECK(living == 4);
  }
  CHECK(living == 0);
}

TEST_CASE("its ends outlive the channel object", "[channel]") {
  auto channel = std::make_unique<Channel<int>>(2);
  auto to = channel->sender();
  const auto from = channel->receiver();
  channel.reset();
  CHECK(to.try_push(1) == ChannelStatus::ok);
  to.close();
  CHECK(from.pop(Context()).value == 1);
  CHECK(from.pop(Context()).status == ChannelStatus::closed);
}

TEST_CASE("under random cancels and deadlines what is accepted comes out once", "[channel]") {
  for (const std::size_t capacity : {0, 1, 4}) {
    const Channel<int> channel(capacity);
    std::atomic<int> accepted = 0, taken = 0;
    std::vector<std::jthread> threads;
    for (unsigned p = 0; p < 3; ++p)
      threads.emplace_back([&, p, to = channel.sender()] {
        for (unsigned i = 0; i < 400; ++i) {
          const auto context = Context().child(std::chrono::microseconds((i * 7 + p) % 40));
          if (to.push(context, 1) == ChannelStatus::ok) ++accepted;
        }
      });
    for (unsigned c = 0; c < 3; ++c)
      threads.emplace_back([&, c, from = channel.receiver()] {
        for (unsigned i = 0;; ++i) {
          const auto context = Context().child(std::chrono::microseconds((i * 11 + c) % 50));
          const auto popped = from.pop(context);
          if (popped.status == ChannelStatus::closed) return;
          if (popped.value) ++taken;
        }
      });
    threads.clear();
    CHECK(accepted == taken);
    CHECK(channel.counts().depth == 0);
  }
}
