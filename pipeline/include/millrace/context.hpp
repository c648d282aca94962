// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <memory>
#include <optional>

namespace millrace::inline v1 {

/// Why a context ended; the first cause stays.
enum class Cause { cancelled, deadline };

/// A node in a tree of cancellation: cancelling one ends all below it, never one above or beside.
/// Every call that can block takes one as its first argument. A handle: copies mean the same node.
/// [any thread, at once]
class Context {
 public:
  using Clock = std::chrono::steady_clock;

  /// A root: ends only by cancel().
  Context();

  /// A context below this one. It ends with this one, by its own cancel(), or at its deadline,
  /// which is never later than this one's.
  Context child() const;
  Context child(Clock::time_point deadline) const;
  Context child(Clock::duration timeout) const;

  /// Wakes who waits on this context or one below, on this thread: call it without holding a lock.
  void cancel() const noexcept;

  bool done() const noexcept;
  std::optional<Cause> cause() const noexcept;
  std::optional<Clock::time_point> deadline() const noexcept;

  /// Makes this context's own deadline later, never than that of the one above: for time that does
  /// not count. Nothing happens to one that has none, to one that has ended, and to those below
  /// that exist already.
  void extend(Clock::duration time) const noexcept;

  /// Throws Error (cancelled) when done; its text says which cause.
  void check() const;

  /// Waits for the time to pass or the context to end; false when it ended first.
  bool sleep_for(Clock::duration time) const;

  struct Node;  ///< Seen by the waiting primitives only (concurrency/).
  Node& node() const noexcept { return *node_; }

 private:
  explicit Context(std::shared_ptr<Node> node) noexcept : node_(std::move(node)) {}
  std::shared_ptr<Node> node_;
};

}  // namespace millrace::inline v1
