// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "millrace/context.hpp"
#include "millrace/interrupt.hpp"
#include "millrace/linked.hpp"

namespace millrace::inline v1 {

/// Own lists in place of std::stop_callback: GCC 12 makes a system call for each callback that it
/// runs, and an end must keep its first cause.
///
/// Locks are taken from a parent to its children to an interrupt's mutex, never the other way.
struct Context::Node : Linked<Context::Node> {
  Node(std::shared_ptr<Node> parent, std::optional<Clock::time_point> deadline);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  std::optional<Clock::time_point> deadline() const noexcept {
    const Clock::time_point until = deadline_;
    return until == never ? std::nullopt : std::optional(until);
  }
  void extend(Clock::duration time) noexcept;
  std::optional<Cause> cause() noexcept;

  /// Ends this node and all below, and wakes who waits on them.
  void cancel() noexcept;
  /// Wakes who waits on this node, with others who do so at once.
  void wake_all() noexcept;

  void add(Interrupt& interrupt) noexcept;
  void remove(Interrupt& interrupt) noexcept;

 private:
  static constexpr Clock::time_point never = Clock::time_point::max();
  enum class State : unsigned char { alive, cancelled, deadline };
  State settle(State state) noexcept;
  Interrupt* next_to_wake() noexcept;
  bool late() const noexcept {
    const Clock::time_point until = deadline_;
    return until != never && Clock::now() >= until;
  }

  const std::shared_ptr<Node> parent_;
  std::atomic<Clock::time_point> deadline_;
  std::atomic<State> state_ = State::alive;
  std::mutex mutex_;  // guards the two lists
  LinkedList<Node> children_;
  LinkedList<Interrupt> interrupts_;
};

}  // namespace millrace::inline v1
