// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/outlet.hpp"

#include "run/pool_worker.hpp"

namespace millrace::inline v1 {

Outlet::Outlet(Sender<Parcel> queue, OrderedSinks sinks)
    : queue_(std::move(queue)), sinks_(std::move(sinks)) {}
Outlet::Outlet(std::shared_ptr<Sequencer> sequencer, OrderedSinks sinks)
    : sequencer_(std::move(sequencer)), sinks_(std::move(sinks)) {}
Outlet::Outlet(std::unique_ptr<PoolWorker> fused, OrderedSinks sinks)
    : fused_(std::move(fused)), sinks_(std::move(sinks)) {}
Outlet::Outlet(Outlet&&) noexcept = default;
Outlet::~Outlet() = default;

bool Outlet::try_put(Parcel& parcel) const {
  if (!sequencer_) return queue_.try_push(std::move(parcel)) == ChannelStatus::ok;
  sequencer_->arrive(std::move(parcel));
  return true;
}

}  // namespace millrace::inline v1
