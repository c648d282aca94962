// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace millrace::inline v1 {

class Sequencer;

/// A place in the run's order: the input's number, and then, for each stage on the way, which of
/// what that stage made. Compared as words in a dictionary are.
using Sequence = std::vector<std::uint32_t>;

/// The sinks that keep the order and can be reached from a stage; null where there is none.
using OrderedSinks = std::shared_ptr<const std::vector<Sequencer*>>;

/// That a token is on its way to the sinks that keep the order: they wait for it until it arrives
/// or this object is gone. [one thread at a time]
class Expectation {
 public:
  Expectation() = default;  ///< Of no sink.
  Expectation(Sequence sequence, OrderedSinks sinks);
  Expectation(Expectation&& other) noexcept = default;
  Expectation& operator=(Expectation&&) = delete;
  ~Expectation() { end(); }

  /// That of what is made next, which goes to `sinks`, some of this one's; this one moves on behind
  /// it.
  Expectation fork(OrderedSinks sinks);

  const Sequence& sequence() const noexcept { return sequence_; }
  /// The sink that it went to has it; `others` are those that could still get it if it fails there.
  void arrived(OrderedSinks others) noexcept { sinks_ = std::move(others); }

 private:
  void move_to(Sequence sequence);
  void end() noexcept;

  OrderedSinks sinks_;
  Sequence sequence_;
  bool forked_ = false;  // the last number of `sequence_` counts what has been made
};

}  // namespace millrace::inline v1
