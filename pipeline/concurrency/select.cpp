// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/select.hpp"

#include <algorithm>
#include <functional>
#include <random>

namespace millrace::inline v1 {

/// Every channel of a select at one instant. By address, so that two selects never wait for each
/// other.
class Select::Locked {
 public:
  explicit Locked(const std::vector<ChannelCore*>& channels) : channels_(channels) {
    for (ChannelCore* channel : channels_) channel->mutex_.lock();
  }
  ~Locked() {
    for (ChannelCore* channel : channels_) channel->mutex_.unlock();
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  const std::vector<ChannelCore*>& channels_;
};

std::size_t Select::add(const Case& made) {
  cases_.push_back(made);
  order_.push_back(order_.size());
  if (made.channel) {
    const auto at =
        std::lower_bound(channels_.begin(), channels_.end(), made.channel, std::less<>());
    if (at == channels_.end() || *at != made.channel) channels_.insert(at, made.channel);
  }
  return cases_.size() - 1;
}

void Select::begin() {
  thread_local std::minstd_rand random(
      static_cast<unsigned>(Context::Clock::now().time_since_epoch().count()));
  std::shuffle(order_.begin(), order_.end(), random);
  for (Case& own : cases_)
    if (own.clear) own.clear(own.value);
}

Select::Outcome Select::attempt(ChannelTurn*& served) {
  for (const std::size_t index : order_) {
    Case& own = cases_[index];
    if (!own.channel) return {ChannelStatus::closed, index};
    const auto status = own.clear ? own.channel->take_into(own.value, served)
                                  : own.channel->give_from(own.value, served);
    if (status != ChannelStatus::would_block) return {status, index};
  }
  return {ChannelStatus::would_block};
}

void Select::stand_in_line(ChannelWaiter& self) noexcept {
  for (Case& own : cases_) {
    own.turn.waiter = &self;
    own.turn.value = own.value;
    (own.clear ? own.channel->poppers_ : own.channel->pushers_).append(own.turn);
  }
}

void Select::leave_lines() noexcept {
  for (Case& own : cases_) {
    const std::lock_guard lock(own.channel->mutex_);
    (own.clear ? own.channel->poppers_ : own.channel->pushers_).remove(own.turn);
  }
}

Select::Outcome Select::wait(const Context& context) {
  begin();
  if (const auto end = ended(context)) return {*end};
  ChannelWaiter self;
  ChannelTurn* served = nullptr;
  {
    std::optional<Locked> locked(channels_);
    const Outcome outcome = attempt(served);
    if (outcome.status != ChannelStatus::would_block) {
      locked.reset();
      ChannelCore::wake(served);
      return outcome;
    }
    stand_in_line(self);
  }
  const auto since = Context::Clock::now();
  const ChannelTurn* const turn = self.wait(context);
  leave_lines();
  if (!turn) return {*ended(context)};
  const auto index = static_cast<std::size_t>(
      std::ranges::find(cases_, turn, [](const Case& own) { return &own.turn; }) - cases_.begin());
  const Case& own = cases_[index];
  (own.clear ? own.channel->blocked_empty_ : own.channel->blocked_full_) +=
      (Context::Clock::now() - since).count();
  return {turn->outcome, index};
}

Select::Outcome Select::try_now() {
  begin();
  ChannelTurn* served = nullptr;
  std::optional<Locked> locked(channels_);
  const Outcome outcome = attempt(served);
  locked.reset();
  ChannelCore::wake(served);
  return outcome;
}

}  // namespace millrace::inline v1
