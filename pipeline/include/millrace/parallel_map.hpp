// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "millrace/channel.hpp"
#include "millrace/context.hpp"
#include "millrace/outcome.hpp"
#include "millrace/task_group.hpp"
#include "millrace/worker_pool.hpp"

namespace millrace::inline v1 {

// A limited fan-out over a list: at most `limit` threads, made for the call and joined before it
// returns, whatever the length of the list; with one of either, the calling thread alone. The
// functions given are called at once by all of them. A limit of 0 is an Error (internal).
// [any thread, at once]

/// Calls `one(context, i)` for each i below `count`, begun in that order. Throws the first error by
/// time, which cancels the others' context, and Error (cancelled) if the context ended before each
/// was begun.
void parallel_each(const Context& context, std::size_t limit, std::size_t count,
                   const std::function<void(const Context&, std::size_t)>& one);

/// Calls `function`, with the context first if it takes one.
template <class F, class... A>
decltype(auto) call_in(const Context& context, F& function, A&&... arguments) {
  if constexpr (std::is_invocable_v<F&, const Context&, A...>)
    return std::invoke(function, context, std::forward<A>(arguments)...);
  else
    return std::invoke(function, std::forward<A>(arguments)...);
}

template <class F, class... A>
using CallResult = std::decay_t<decltype(call_in(std::declval<const Context&>(), std::declval<F&>(),
                                                 std::declval<A>()...))>;

/// `function(context, item)` or `function(item)` of every item, in the items' order whatever was
/// ready first. All or nothing: throws as parallel_each() does.
///
///     const auto sizes = parallel_map(context, 8, paths, [](const Path& path) {
///       return file_size(path);
///     });
template <std::ranges::random_access_range Items, class F>
requires std::ranges::sized_range<Items>
auto parallel_map(const Context& context, std::size_t limit, Items&& items, F function) {
  using Result = CallResult<F, std::ranges::range_reference_t<Items>>;
  std::vector<std::optional<Result>> slots(std::ranges::size(items));  // each task writes its own
  const auto first = std::ranges::begin(items);
  parallel_each(context, limit, slots.size(), [&](const Context& here, std::size_t i) {
    slots[i].emplace(
        call_in(here, function, first[static_cast<std::ranges::range_difference_t<Items>>(i)]));
  });
  std::vector<Result> results;
  results.reserve(slots.size());
  for (auto& slot : slots) results.push_back(std::move(*slot));
  return results;
}

/// The same to the end whatever fails: an Outcome for each item. When the context ends no further
/// item is begun.
template <std::ranges::random_access_range Items, class F>
requires std::ranges::sized_range<Items>
auto parallel_collect(const Context& context, std::size_t limit, Items&& items, F function) {
  using Result = CallResult<F, std::ranges::range_reference_t<Items>>;
  std::vector<Outcome<Result>> outcomes(std::ranges::size(items));
  const auto first = std::ranges::begin(items);
  try {
    parallel_each(context, limit, outcomes.size(), [&](const Context& here, std::size_t i) {
      outcomes[i] = Outcome<Result>::of([&] {
        return call_in(here, function,
                       first[static_cast<std::ranges::range_difference_t<Items>>(i)]);
      });
    });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::cancelled) throw;  // that is told by each item
  }
  return outcomes;
}

enum class Arrival { as_ready, in_order };

/// For a list of any length, or one that is still being read: calls `take(index, outcome)` on the
/// calling thread for each item as it is ready, or in the items' order. The calling thread reads
/// the items too, and is never more than four times the limit ahead of what it has taken. Ends
/// early with what it or reading throws, and with Error (cancelled).
///
///     parallel_stream(context, 4, lines(file), parse, [&](std::size_t line, Outcome<Row> row) {
///       if (row) table.add(line, *row);
///     });
template <std::ranges::input_range Items, class F, class Take>
void parallel_stream(const Context& context, std::size_t limit, Items&& items, F function,
                     Take take, Arrival arrival = Arrival::as_ready) {
  using Item = std::ranges::range_value_t<Items>;
  using Result = CallResult<F, Item>;
  using Job = std::pair<std::size_t, Item>;
  using Done = std::pair<std::size_t, Outcome<Result>>;
  const std::size_t window = 4 * limit;  // so no push below waits
  const Channel<Done> results(window);
  WorkerPool<Job> pool(context, {.name = "stream", .workers = limit, .queue = window},
                       [&function, to = results.sender()](const Context& here) {
                         return [&function, to, here](Job job) {
                           auto outcome = Outcome<Result>::of(
                               [&] { return call_in(here, function, std::move(job.second)); });
                           (void)to.push(here, Done(job.first, std::move(outcome)));
                         };
                       });
  pool.start();
  const auto jobs = pool.sender();
  const auto ready = results.receiver();
  std::map<std::size_t, Outcome<Result>> early;
  std::size_t begun = 0, taken = 0;
  auto next = std::ranges::begin(items);
  while (true) {
    for (; begun - taken < window && next != std::ranges::end(items); ++next, ++begun)
      if (jobs.push(context, Job(begun, *next)) != ChannelStatus::ok) context.check();
    if (taken == begun) return;
    auto done = ready.pop(context);
    if (!done) context.check();
    if (arrival == Arrival::as_ready) {
      take(done->first, std::move(done->second));
      ++taken;
      continue;
    }
    early.emplace(done->first, std::move(done->second));
    for (; !early.empty() && early.begin()->first == taken; ++taken)
      take(taken, std::move(early.extract(early.begin()).mapped()));
  }
}

/// Calls of different kinds side by side, each with the context if it takes one: a tuple of what
/// they give (std::monostate for nothing). The first error cancels the others and is thrown.
///
///     auto [user, orders] = when_all(context, [&] { return find(id); }, [&] { return list(id); });
template <class... F>
auto when_all(const Context& context, F... functions) {
  const auto call = [](const Context& here, auto& function) {
    if constexpr (std::is_void_v<decltype(call_in(here, function))>) {
      call_in(here, function);
      return std::monostate();
    } else {
      return call_in(here, function);
    }
  };
  std::tuple<std::optional<std::decay_t<decltype(call(context, functions))>>...> slots;
  TaskGroup group(context);
  std::apply(
      [&](auto&... slot) {
        ((void)group.go([&](const Context& here) { slot.emplace(call(here, functions)); }), ...);
      },
      slots);
  if (const auto fault = group.wait()) fault->raise();
  return std::apply([](auto&... slot) { return std::tuple(std::move(*slot)...); }, slots);
}

/// The items in slices of `size`, the last one shorter: work that is too small for a call each.
template <std::ranges::contiguous_range Items>
requires std::ranges::borrowed_range<Items> && std::ranges::sized_range<Items>
auto chunks(Items&& items, std::size_t size) {
  if (size == 0) throw Error(ErrorKind::internal, "slices of nothing have no end");
  const std::span all(std::ranges::data(items), std::ranges::size(items));
  std::vector<std::remove_const_t<decltype(all)>> slices;
  for (std::size_t at = 0; at < all.size(); at += size)
    slices.push_back(all.subspan(at, std::min(size, all.size() - at)));
  return slices;
}

}  // namespace millrace::inline v1
