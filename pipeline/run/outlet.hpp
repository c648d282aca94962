// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <utility>

#include "millrace/channel.hpp"
#include "run/parcel.hpp"
#include "run/sequencer.hpp"

namespace millrace::inline v1 {

class PoolWorker;

/// Where what a worker makes for one consumer goes: into the queue in front of it, to the sequencer
/// of a sink that keeps the order, or to a worker of a fused stage on this thread. The consumer's
/// input ends when the last outlet to it is gone. [one thread]
class Outlet {
 public:
  Outlet(Sender<Parcel> queue, OrderedSinks sinks);
  Outlet(std::shared_ptr<Sequencer> sequencer, OrderedSinks sinks);
  Outlet(std::unique_ptr<PoolWorker> fused, OrderedSinks sinks);
  Outlet(Outlet&&) noexcept;
  ~Outlet();

  /// The ordered sinks that can be reached from the consumer.
  const OrderedSinks& sinks() const noexcept { return sinks_; }
  PoolWorker* fused() const noexcept { return fused_.get(); }
  const Sender<Parcel>& queue() const noexcept { return queue_; }

  /// False, with the parcel untouched, when there is no room now or no more. Not for a fused one.
  bool try_put(Parcel& parcel) const;

 private:
  Sender<Parcel> queue_;
  std::shared_ptr<Sequencer> sequencer_;
  std::unique_ptr<PoolWorker> fused_;
  OrderedSinks sinks_;
};

}  // namespace millrace::inline v1
