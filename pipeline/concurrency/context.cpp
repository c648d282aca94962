// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/context.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "concurrency/context_node.hpp"
#include "millrace/error.hpp"

namespace millrace::inline v1 {

Context::Node::Node(std::shared_ptr<Node> parent, std::optional<Clock::time_point> until)
    : parent_(std::move(parent)), deadline_(until) {
  if (!parent_) return;
  if (parent_->deadline_ && (!deadline_ || *parent_->deadline_ < *deadline_))
    deadline_ = parent_->deadline_;
  link_.emplace(parent_->source_.get_token(), Cancel{this});
}

std::optional<Cause> Context::Node::cause() const noexcept {
  if (source_.stop_requested()) return Cause::cancelled;
  if (deadline_ && Clock::now() >= *deadline_) return Cause::deadline;
  return std::nullopt;
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

void Context::cancel() const noexcept { node_->source().request_stop(); }

bool Context::done() const noexcept { return node_->cause().has_value(); }

std::optional<Cause> Context::cause() const noexcept { return node_->cause(); }

std::optional<Context::Clock::time_point> Context::deadline() const noexcept {
  return node_->deadline();
}

void Context::check() const {
  if (const auto cause = node_->cause())
    throw Error(ErrorKind::cancelled,
                *cause == Cause::deadline ? "the deadline has passed" : "cancelled");
}

bool Context::sleep_for(Clock::duration time) const {
  const auto until = child(time).deadline().value();
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_until(lock, node_->source().get_token(), until, [] { return false; });
  return !done();
}

}  // namespace millrace::inline v1
