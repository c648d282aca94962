// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/listing.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "run/fakes.hpp"
#include "support/catch.hpp"
#include "support/live_threads.hpp"

using namespace millrace_test;
using namespace std::chrono_literals;

namespace {

/// Lists what the function tells it to.
struct Lister final : Source {
  using List = std::function<void(const Context&, const std::function<void(Origin)>&)>;
  explicit Lister(List function) : how(std::move(function)) {}
  std::optional<PayloadKind> gives() const override { return PayloadKind::bytes; }
  void list(const Context& context, const std::function<void(Origin)>& found,
            const std::function<void(Origin, Error)>&) const override {
    how(context, found);
  }
  Payload open(ItemContext&) const override { return Bytes{}; }
  List how;
};

void add_lister(Plan& plan, std::string id, Lister::List list) {
  add(plan, std::move(id), std::make_unique<Lister>(std::move(list)), {});
}

Origin named(std::string path) { return {std::move(path), {}, 0, {}}; }

std::string paths(const std::vector<Listed>& inputs) {
  std::string all;
  for (const auto& input : inputs) all += input.origin.path + std::to_string(input.source) + " ";
  return all;
}

}  // namespace

TEST_CASE("sources are listed side by side, and what they name keeps the plan's order", "[run]") {
  Plan plan;
  std::atomic<int> begun = 0;
  for (const char* name : {"a", "b", "c"})
    add_lister(plan, name, [&, name](const Context&, const auto& found) {
      ++begun;
      if (!eventually([&] { return begun == 3; })) return;  // one after the other: no input
      found(named(std::string(name) + "first"));
      found(named(std::string(name) + "second"));
    });
  CHECK(paths(list_inputs(plan, Context())) ==
        "afirst0 asecond0 bfirst1 bsecond1 cfirst2 csecond2 ");
}

TEST_CASE("a single source is listed by the calling thread", "[run]") {
  Plan plan;
  std::thread::id thread;
  add_lister(plan, "one",
             [&](const Context&, const auto&) { thread = std::this_thread::get_id(); });
  CHECK(list_inputs(plan, Context()).empty());
  CHECK(thread == std::this_thread::get_id());
}

TEST_CASE("a source that cannot list stops the listing of the others", "[run]") {
  Plan plan;
  add_lister(plan, "endless", [](const Context& context, const auto&) {
    while (context.sleep_for(1h)) continue;
    context.check();
  });
  add_lister(plan, "gone",
             [](const Context&, const auto&) { throw Error(ErrorKind::usage, "no such folder"); });
  CHECK_THROWS_WITH(list_inputs(plan, Context()), "gone: no such folder");
}

TEST_CASE("a listing that is cancelled keeps what was named before", "[run]") {
  Plan plan;
  const Context context;
  std::atomic<int> named_all = 0;
  for (const char* name : {"a", "b"})
    add_lister(plan, name, [&, name](const Context& here, const auto& found) {
      found(named(name));
      if (++named_all == 2) context.cancel();
      while (here.sleep_for(1h)) continue;
      here.check();
    });
  CHECK(paths(list_inputs(plan, context)) == "a0 b1 ");
}
