// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/token.hpp"

#include <algorithm>

#include "run/parcel.hpp"

namespace millrace::inline v1 {

Item::~Item() {
  Journey journey{origin_, worst(outcomes_), Context::Clock::now() - since_};
  const auto longest = std::ranges::max_element(spent_);
  if (longest != spent_.end()) {
    journey.stage = static_cast<std::size_t>(longest - spent_.begin());
    journey.worked = *longest;
  }
  tally_.end(journey);
}

bool Item::note(Ending outcome) noexcept {
  const auto bit = static_cast<unsigned>(outcome);
  return (outcomes_.fetch_or(bit) & bit) == 0;
}

bool Item::set_aside(std::size_t stage) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::count(set_aside_, stage) > 0) return false;
  set_aside_.push_back(stage);
  return true;
}

void Item::spend(std::size_t stage, Context::Clock::duration time) {
  const std::lock_guard lock(mutex_);
  if (spent_.size() <= stage) spent_.resize(stage + 1);
  spent_[stage] += time;
}

void Item::hold(std::size_t bytes) noexcept {
  const std::size_t held = held_ += bytes;
  const std::lock_guard lock(mutex_);
  if (held > admitted_.memory.weight()) admitted_.memory.correct(held);
}

void Item::let_go(std::size_t bytes) noexcept { held_ -= bytes; }

Token::~Token() {
  if (!item_) return;
  item_->note(Ending::cancelled);
  release();
}

void Token::release() noexcept {
  hold(0);
  item_.reset();
}

void Token::hold(std::size_t bytes) noexcept {
  if (bytes > held_) item_->hold(bytes - held_);
  if (bytes < held_) item_->let_go(held_ - bytes);
  held_ = bytes;
}

Token Token::fork(std::optional<std::uint32_t> page, OrderedSinks sinks) {
  Token token(item_, expectation_.fork(std::move(sinks)));
  token.page_ = page ? page : page_;
  return token;
}

Token Token::fork_whole(OrderedSinks sinks) { return {item_, expectation_.fork(std::move(sinks))}; }

Origin Token::origin() const {
  Origin origin = item_->origin();
  if (page_) origin.page = page_;
  return origin;
}

std::size_t size_of(const Payload& payload) noexcept {
  if (const auto* bytes = std::get_if<Bytes>(&payload))
    return bytes->data ? bytes->data->size() : 0;
  if (const auto* image = std::get_if<Image>(&payload))
    return image->pixels.total() * image->pixels.elemSize();
  return 0;  // a page's text is small beside its picture
}

}  // namespace millrace::inline v1
