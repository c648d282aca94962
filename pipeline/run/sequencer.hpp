// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "millrace/channel.hpp"
#include "run/expectation.hpp"
#include "run/parcel.hpp"

namespace millrace::inline v1 {

/// Stands in front of a sink that keeps the sources' order: holds back what has overtaken others,
/// and hands it on when everything that comes before it has arrived or will not come. It knows
/// whom to wait for by the Expectation of every token that may reach the sink, so that an item that
/// fails, or is dropped, keeps nobody waiting. Nobody waits to bring something, which could not be
/// told from waiting for ever: what it holds are the pages of the inputs in the run's in-flight
/// window, all of them if need be. [any thread, at once]
class Sequencer {
 public:
  /// `beyond`: the ordered sinks that an item can still reach by failing in this one.
  Sequencer(Sender<Parcel> sink, OrderedSinks beyond)
      : sink_(std::move(sink)), beyond_(std::move(beyond)) {}

  void expect(const Sequence& sequence);
  /// The parcel's token is expected here.
  void arrive(Parcel parcel);
  void leave(const Sequence& sequence) noexcept;

  /// Nothing arrives any more.
  void close();
  /// Drops what it holds back; nobody else uses it any more.
  void discard() { expected_.clear(); }

 private:
  void hand_on();

  std::mutex mutex_;
  Sender<Parcel> sink_;  // of a channel without a limit: a push never waits
  const OrderedSinks beyond_;
  std::map<Sequence, std::optional<Parcel>> expected_;
};

}  // namespace millrace::inline v1
