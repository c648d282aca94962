// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/sequencer.hpp"

#include <algorithm>

namespace millrace::inline v1 {

Expectation::Expectation(Sequence sequence, OrderedSinks sinks)
    : sinks_(std::move(sinks)), sequence_(std::move(sequence)) {
  if (!sinks_) return;
  for (auto* sink : *sinks_) sink->expect(sequence_);
}

Expectation Expectation::fork(OrderedSinks sinks) {
  if (!sinks_) return {};
  if (!forked_) {  // from here on the last number counts what is made
    Sequence first = sequence_;
    first.push_back(0);
    move_to(std::move(first));
    forked_ = true;
  }
  Expectation made;
  made.sequence_ = sequence_;
  made.sinks_ = std::move(sinks);
  Sequence next = sequence_;
  ++next.back();
  // What is made takes the place of this one, which stands behind it: there is always one of them.
  for (auto* sink : *sinks_) sink->expect(next);
  for (auto* sink : *sinks_)
    if (std::ranges::count(*made.sinks_, sink) == 0) sink->leave(sequence_);
  sequence_ = std::move(next);
  return made;
}

void Expectation::move_to(Sequence sequence) {
  for (auto* sink : *sinks_) sink->expect(sequence);
  for (auto* sink : *sinks_) sink->leave(sequence_);
  sequence_ = std::move(sequence);
}

void Expectation::end() noexcept {
  if (!sinks_) return;
  for (auto* sink : *sinks_) sink->leave(sequence_);
  sinks_.reset();
}

void Sequencer::expect(const Sequence& sequence) {
  const std::lock_guard lock(mutex_);
  expected_.try_emplace(sequence);
}

void Sequencer::arrive(Parcel parcel) {
  parcel.token.expectation().arrived(beyond_);
  const std::lock_guard lock(mutex_);
  expected_.find(parcel.token.expectation().sequence())->second.emplace(std::move(parcel));
  hand_on();
}

void Sequencer::leave(const Sequence& sequence) noexcept {
  const std::lock_guard lock(mutex_);
  expected_.erase(sequence);
  hand_on();
}

void Sequencer::close() {
  const std::lock_guard lock(mutex_);
  sink_.close();
}

// Under the lock, so that what one thread hands on is not overtaken by what another does.
void Sequencer::hand_on() {
  while (!expected_.empty() && expected_.begin()->second) {
    Parcel next = std::move(*expected_.begin()->second);
    expected_.erase(expected_.begin());
    (void)sink_.try_push(std::move(next));  // what a cancelled run does not take is dropped
  }
}

}  // namespace millrace::inline v1
