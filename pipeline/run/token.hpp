// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "concurrency/slots.hpp"
#include "millrace/context.hpp"
#include "millrace/item.hpp"
#include "run/tally.hpp"

namespace millrace::inline v1 {

/// An input of the run that is under way. It ends, and gives its place in the in-flight window
/// back, when the last of its tokens does.
class Item {
 public:
  Item(Origin origin, std::size_t source, Context context, Slots::Slot place, Tally& tally)
      : origin_(std::move(origin)),
        source_(source),
        context_(std::move(context)),
        place_(std::move(place)),
        tally_(tally) {}
  ~Item() { tally_.end(worst(outcomes_)); }
  Item(const Item&) = delete;
  Item& operator=(const Item&) = delete;

  const Origin& origin() const noexcept { return origin_; }
  std::size_t source() const noexcept { return source_; }
  const Context& context() const noexcept { return context_; }

  /// True when this is the item's first outcome of that kind.
  bool note(Outcome outcome) noexcept;

 private:
  Origin origin_;
  std::size_t source_;
  Context context_;
  Slots::Slot place_;  // goes back after the item is counted
  Tally& tally_;
  std::atomic<unsigned> outcomes_ = 0;
};

/// The right to work on an item, or on one page or branch of it. Dropping a token without a word
/// counts as cancelled, so that nothing gets lost on any way out. [one thread at a time]
class Token {
 public:
  explicit Token(std::shared_ptr<Item> item) : item_(std::move(item)) {}
  Token(Token&&) noexcept = default;
  Token& operator=(Token&&) = delete;
  ~Token() {
    if (item_) item_->note(Outcome::cancelled);
  }

  /// One more token of the same item, for a consumer downstream; of its own page where given.
  Token fork(std::optional<std::uint32_t> page) const;

  /// True when this is the item's first outcome of that kind. The token lives on.
  bool note(Outcome outcome) noexcept { return item_->note(outcome); }
  /// Ends this token, with nothing more to say: after note(), or when forks go on in its place.
  void release() noexcept { item_.reset(); }

  const Context& context() const noexcept { return item_->context(); }
  std::size_t source() const noexcept { return item_->source(); }
  Origin origin() const;

 private:
  std::shared_ptr<Item> item_;
  std::optional<std::uint32_t> page_;
};

}  // namespace millrace::inline v1
