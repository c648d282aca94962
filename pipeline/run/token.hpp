// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "millrace/context.hpp"
#include "millrace/item.hpp"
#include "millrace/semaphore.hpp"
#include "run/expectation.hpp"
#include "run/tally.hpp"

namespace millrace::inline v1 {

/// What an input holds while it is under way: its place in the in-flight window, and its lease of
/// the run's memory in bytes.
struct Admitted {
  Permit place;
  Permit memory;
};

/// An input of the run that is under way. It ends, and gives back what it was admitted with, when
/// the last of its tokens does.
class Item {
 public:
  Item(Origin origin, std::size_t source, Context context, Admitted admitted, Tally& tally)
      : origin_(std::move(origin)),
        source_(source),
        context_(std::move(context)),
        admitted_(std::move(admitted)),
        tally_(tally) {}
  ~Item();
  Item(const Item&) = delete;
  Item& operator=(const Item&) = delete;

  const Origin& origin() const noexcept { return origin_; }
  std::size_t source() const noexcept { return source_; }
  const Context& context() const noexcept { return context_; }

  /// True when this is the item's first outcome of that kind.
  bool note(Ending outcome) noexcept;
  /// True when the stage of that index has not taken this item among the failed ones before.
  bool set_aside(std::size_t stage);
  /// Counts the time that a stage worked on it, or on a page of it.
  void spend(std::size_t stage, Context::Clock::duration time);
  /// Counts bytes that its payloads take. A lease that was estimated too low is corrected: nobody
  /// waits for that, those who come next wait longer.
  void hold(std::size_t bytes) noexcept;
  void let_go(std::size_t bytes) noexcept;

 private:
  const Origin origin_;
  const std::size_t source_;
  const Context context_;
  const Context::Clock::time_point since_ = Context::Clock::now();
  std::mutex mutex_;   // guards the lease, the list and the times
  Admitted admitted_;  // goes back after the item is counted
  std::vector<std::size_t> set_aside_;
  std::vector<Context::Clock::duration> spent_;  // by stage
  Tally& tally_;
  std::atomic<std::size_t> held_ = 0;
  std::atomic<unsigned> outcomes_ = 0;
};

/// The right to work on an item, or on one page or branch of it. Dropping a token without a word
/// counts as cancelled, so that nothing gets lost on any way out. [one thread at a time]
class Token {
 public:
  Token(std::shared_ptr<Item> item, Expectation expectation)
      : item_(std::move(item)), expectation_(std::move(expectation)) {}
  Token(Token&& other) noexcept
      : item_(std::move(other.item_)),
        page_(other.page_),
        held_(std::exchange(other.held_, 0)),
        expectation_(std::move(other.expectation_)) {}
  Token& operator=(Token&&) = delete;
  ~Token();

  /// One more token of the same item, for a consumer downstream; of its own page where given.
  Token fork(std::optional<std::uint32_t> page, OrderedSinks sinks);
  /// One more, of the whole item again.
  Token fork_whole(OrderedSinks sinks);

  /// True when this is the item's first outcome of that kind. The token lives on.
  bool note(Ending outcome) noexcept { return item_->note(outcome); }
  bool set_aside(std::size_t stage) { return item_->set_aside(stage); }
  void spend(std::size_t stage, Context::Clock::duration time) { item_->spend(stage, time); }
  /// Ends this token, with nothing more to say: after note(), or when forks go on in its place.
  void release() noexcept;
  /// What it holds, in bytes, from now on.
  void hold(std::size_t bytes) noexcept;

  const Context& context() const noexcept { return item_->context(); }
  std::size_t source() const noexcept { return item_->source(); }
  Expectation& expectation() noexcept { return expectation_; }
  Origin origin() const;

 private:
  std::shared_ptr<Item> item_;
  std::optional<std::uint32_t> page_;
  std::size_t held_ = 0;
  Expectation expectation_;
};

}  // namespace millrace::inline v1
