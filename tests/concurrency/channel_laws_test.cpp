// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "millrace/channel.hpp"
#include "millrace/select.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace;
using namespace std::chrono_literals;
using millrace_test::eventually;
using millrace_test::ThreadCount;

namespace {

struct Signal {};
static_assert(ChannelRing<Signal>::bytes_per_value == 0);
static_assert(ChannelRing<std::unique_ptr<int>>::bytes_per_value == sizeof(int*));

template <class End>
concept pushes_without_context = requires(End end) {
  end.push(1);
};
template <class End>
concept pops_without_context = requires(End end) {
  end.pop();
};
template <class Choice>
concept waits_without_context = requires(Choice choice) {
  choice.wait();
};
static_assert(!pushes_without_context<Sender<int>> && !pops_without_context<Receiver<int>> &&
              !waits_without_context<Select>);

/// Bytes that are allocated; always 0 under a sanitizer, whose own check is at the end.
std::size_t allocated() { return mallinfo2().uordblks; }

/// Declarations of what can wait that have no context before their other parameters, in a header
/// whose objects are not given one when they are made.
std::vector<std::string> without_context(const std::string& header) {
  static const std::regex made(R"(\n  (explicit )?[A-Z]\w*\(const Context& )");
  static const std::regex waits(R"(\n  (?! )(\[\[nodiscard\]\] )?[\w:<>, ]+[>\w&*] )"
                                R"((push|pop|acquire|receive|wait)\((?!const Context&)[^)]*\))");
  std::vector<std::string> found;
  if (std::regex_search(header, made)) return found;
  for (std::sregex_iterator at(header.begin(), header.end(), waits), end; at != end; ++at)
    found.push_back(at->str());
  return found;
}

}  // namespace

TEST_CASE("whatever can wait takes a context first, in every public header", "[channel][context]") {
  CHECK(without_context("\n  Popped<T> pop() const;").size() == 1);
  CHECK(without_context("\n  [[nodiscard]] Permit acquire(int weight);").size() == 1);
  CHECK(without_context("\n  Permit acquire(const Context& context, int weight);").empty());
  // What channels are made of, and waiting itself, are no calls for users.
  const std::vector<std::string> inner{"channel_core.hpp", "channel_ring.hpp", "interrupt.hpp"};
  const std::filesystem::path folder = MILLRACE_SOURCE_DIR "/pipeline/include/millrace";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (std::ranges::find(inner, name) != inner.end()) continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    INFO(name);
    // A select's cases are added by receive(); it waits in wait().
    for (const auto& found : without_context(text)) {
      INFO(found);
      CHECK(name == "select.hpp");
      CHECK(found.find("std::size_t receive(") != std::string::npos);
    }
  }
}

TEST_CASE("values keep their order while a channel takes more room", "[channel]") {
  const Channel<std::unique_ptr<int>> channel(100);
  const auto to = channel.sender();
  const auto from = channel.receiver();
  int in = 0, out = 0;
  for (int round = 0; round < 50; ++round) {  // the oldest value moves through the ring meanwhile
    for (int i = 0; i < 5 && to.try_push(std::make_unique<int>(in)) == ChannelStatus::ok; ++i) ++in;
    for (int i = 0; i < 3; ++i) REQUIRE(**from.try_pop() == out++);
  }
  CHECK(channel.counts().depth == static_cast<std::size_t>(in - out));
  while (auto value = from.try_pop()) REQUIRE(**value == out++);
  CHECK(in == out);
}

TEST_CASE("signals are counted, and one can wait for one and drop it", "[channel]") {
  const Channel<Signal> channel(3);
  auto to = channel.sender();
  for (int i = 0; i < 3; ++i) CHECK(to.try_push({}) == ChannelStatus::ok);
  CHECK(to.try_push({}) == ChannelStatus::would_block);
  std::jthread last([&] { (void)to.push(Context(), {}); });
  for (int i = 0; i < 4; ++i) (void)channel.receiver().pop(Context());
  last.join();
  CHECK(channel.counts().depth == 0);
  CHECK(channel.receiver().try_pop().status == ChannelStatus::would_block);
}

TEST_CASE("a range-for waits between values that only move, to the end", "[channel]") {
  const Channel<std::unique_ptr<int>> channel;
  std::jthread producer([to = channel.sender()] {
    for (int i = 0; i < 3; ++i) (void)to.push(Context(), std::make_unique<int>(i));
  });
  int next = 0;
  const Context context;
  for (auto& value : channel.receiver().each(context)) CHECK(*value == next++);
  CHECK(next == 3);
}

TEST_CASE("one cancel wakes a thousand who wait", "[channel][context]") {
  const ThreadCount threads;
  {
    const Channel<int> channel;
    const Context context;
    std::atomic<int> cancelled = 0;
    std::vector<std::jthread> waiters;
    const auto wait = [&, from = channel.receiver()] {
      cancelled += from.pop(context).status == ChannelStatus::cancelled;
    };
    try {
      while (waiters.size() < 1000) waiters.emplace_back(wait);
    } catch (const std::system_error&) {
      WARN("the system lets a process have no more than " << waiters.size() << " threads");
    }
    const std::size_t count = waiters.size();
    CHECK(eventually([&] { return channel.counts().poppers == count; }));
    context.cancel();
    waiters.clear();
    CHECK(cancelled == static_cast<int>(count));
    CHECK(channel.counts().poppers == 0);
  }
  CHECK(threads.as_before());
}

TEST_CASE("a thousand abandoned operations leave no thread and no memory", "[channel][context]") {
  const Channel<int> channel;
  const auto to = channel.sender();
  const auto from = channel.receiver();
  const Context parent;
  const ThreadCount threads;
  const auto abandon = [&] {
    int value = 1;
    std::optional<int> slot;
    (void)to.push(parent.child(50us), std::move(value));
    (void)from.pop(parent.child(50us));
    Select select;
    select.receive(from, slot);
    (void)select.wait(parent.child(50us));
  };
  abandon();
  const auto before = allocated();
  for (int i = 0; i < 1000; ++i) abandon();
  CHECK(allocated() <= before + 16 * 1024);
  CHECK(threads.as_before());
  CHECK(channel.counts().pushers + channel.counts().poppers == 0);
}

TEST_CASE("twelve thousand contexts leave no thread and no memory at their parent", "[context]") {
  const Context parent;
  const ThreadCount threads;
  const auto before = allocated();
  for (int i = 0; i < 12000; ++i) {
    const Context child = parent.child(1h);
    if (i % 3 == 0) child.cancel();
    (void)child.child().done();
  }
  CHECK(allocated() <= before + 16 * 1024);
  CHECK(threads.as_before());
  CHECK_FALSE(parent.done());
}

TEST_CASE("workers whose reader is gone leave on cancel, and their channels close", "[channel]") {
  const Channel<int> jobs(2), results;
  const Context context;
  std::vector<std::jthread> threads;
  threads.emplace_back([&, to = jobs.sender()] {
    for (int i = 0; to.push(context, int(i)) == ChannelStatus::ok; ++i) {
    }
  });
  for (int w = 0; w < 3; ++w)
    threads.emplace_back([&, from = jobs.receiver(), to = results.sender()] {
      for (const int job : from.each(context))
        if (to.push(context, job * 2) != ChannelStatus::ok) return;
    });
  REQUIRE(eventually([&] { return results.counts().pushers == 3; }));
  REQUIRE(eventually([&] { return jobs.counts().pushers == 1; }));
  context.cancel();
  threads.clear();
  while (jobs.receiver().try_pop()) {
  }
  CHECK(jobs.receiver().try_pop().status == ChannelStatus::closed);
  CHECK(results.receiver().try_pop().status == ChannelStatus::closed);
}

TEST_CASE("a producer that throws has closed its channel", "[channel]") {
  const auto produce = [](const Sender<int>& to, int fails_at) {
    for (int i = 0;; ++i) {
      if (i == fails_at) throw i;
      (void)to.try_push(int(i));
    }
  };
  for (const int fails_at : {0, 2}) {
    const Channel<int> own(4);
    CHECK_THROWS(produce(own.sender(), fails_at));
    for (int i = 0; i < fails_at; ++i) CHECK(own.receiver().pop(Context()).value == i);
    CHECK(own.receiver().pop(Context()).status == ChannelStatus::closed);
  }
}

TEST_CASE("a wait sees the end of its context whether it comes before, in or after", "[context]") {
  for (int round = 0; round < 300; ++round) {
    const Channel<int> channel;
    const Context context;
    std::jthread canceller([&] {
      for (int i = 0; i < round % 7; ++i) std::this_thread::yield();
      context.cancel();
    });
    REQUIRE(channel.receiver().pop(context.child()).status == ChannelStatus::cancelled);
  }
}
