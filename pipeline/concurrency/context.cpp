// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/context.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "concurrency/context_node.hpp"
#include "millrace/error.hpp"
#include "millrace/interrupt.hpp"

namespace millrace::inline v1 {

Context::Node::Node(std::shared_ptr<Node> parent, std::optional<Clock::time_point> until)
    : parent_(std::move(parent)), deadline_(until.value_or(never)) {
  if (!parent_) return;
  deadline_ = std::min(deadline_.load(), parent_->deadline_.load());
  const std::lock_guard lock(parent_->mutex_);
  parent_->children_.append(*this);
  state_ = parent_->state_.load();
}

Context::Node::~Node() {
  if (!parent_) return;
  const std::lock_guard lock(parent_->mutex_);
  parent_->children_.remove(*this);
}

Context::Node::State Context::Node::settle(State state) noexcept {
  State first = State::alive;
  return state_.compare_exchange_strong(first, state) ? state : first;
}

void Context::Node::extend(Clock::duration time) noexcept {
  const auto limit = parent_ ? parent_->deadline_.load() : never;
  const auto until = deadline_.load();
  if (until == never || time <= time.zero()) return;
  deadline_ = time < limit - until ? until + time : limit;
}

std::optional<Cause> Context::Node::cause() noexcept {
  State state = state_.load();
  if (state == State::alive && late()) state = settle(State::deadline);
  if (state == State::alive) return std::nullopt;
  return state == State::cancelled ? Cause::cancelled : Cause::deadline;
}

void Context::Node::cancel() noexcept {
  {
    const std::lock_guard lock(mutex_);
    settle(late() ? State::deadline : State::cancelled);
    for (Node* child = children_.first(); child; child = children_.after(*child)) child->cancel();
  }
  wake_all();
}

void Context::Node::wake_all() noexcept {
  while (Interrupt* const interrupt = next_to_wake()) interrupt->wake();
}

Interrupt* Context::Node::next_to_wake() noexcept {
  const std::lock_guard lock(mutex_);
  Interrupt* const interrupt = interrupts_.remove_first();
  if (interrupt) interrupt->stage_ = Interrupt::Stage::telling;
  return interrupt;
}

void Context::Node::add(Interrupt& interrupt) noexcept {
  const std::lock_guard lock(mutex_);
  interrupts_.append(interrupt);
}

void Context::Node::remove(Interrupt& interrupt) noexcept {
  const std::lock_guard lock(mutex_);
  interrupts_.remove(interrupt);
}

Interrupt::Interrupt(const Context& context, std::mutex& mutex,
                     std::condition_variable& changed) noexcept
    : node_(context.node()), mutex_(mutex), changed_(changed) {
  node_.add(*this);
}

Interrupt::~Interrupt() {
  if (stage_ == Stage::listed) node_.remove(*this);
  // Told by one who is still at it; what it notifies may go with the waiter.
  while (stage_ == Stage::telling) std::this_thread::yield();
  // Waking is system calls, a thread each: whoever is awake takes part, so that no CPU idles.
  if (stage_ == Stage::told) node_.wake_all();
}

void Interrupt::wait(std::unique_lock<std::mutex>& lock) const {
  if (const auto deadline = node_.deadline())
    changed_.wait_until(lock, *deadline);
  else
    changed_.wait(lock);
}

void Interrupt::wake() noexcept {
  // The mutex once, so as not to fall between the waiter's look at the context and its wait. Not
  // held while it is notified: it would wake only to stop at it.
  { const std::lock_guard lock(mutex_); }
  changed_.notify_all();
  stage_ = Stage::told;
}

Context::Context() : node_(std::make_shared<Node>(nullptr, std::nullopt)) {}

Context Context::child() const { return Context(std::make_shared<Node>(node_, std::nullopt)); }

Context Context::child(Clock::time_point deadline) const {
  return Context(std::make_shared<Node>(node_, deadline));
}

Context Context::child(Clock::duration timeout) const {
  const auto now = Clock::now();
  const auto room = Clock::time_point::max() - now;  // now + max() would overflow
  return child(now + std::min(timeout, room));
}

void Context::cancel() const noexcept { node_->cancel(); }

bool Context::done() const noexcept { return node_->cause().has_value(); }

std::optional<Cause> Context::cause() const noexcept { return node_->cause(); }

std::optional<Context::Clock::time_point> Context::deadline() const noexcept {
  return node_->deadline();
}

void Context::extend(Clock::duration time) const noexcept { node_->extend(time); }

void Context::check() const {
  if (const auto cause = node_->cause())
    throw Error(ErrorKind::cancelled,
                *cause == Cause::deadline ? "the deadline has passed" : "cancelled");
}

bool Context::sleep_for(Clock::duration time) const {
  const Context nap = child(time);  // ends with this one, or when the time is over
  std::mutex mutex;
  std::condition_variable changed;
  const Interrupt interrupt(nap, mutex, changed);
  std::unique_lock lock(mutex);
  while (!nap.done()) interrupt.wait(lock);
  return !done();
}

}  // namespace millrace::inline v1
