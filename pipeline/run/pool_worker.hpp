// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "concurrency/slots.hpp"
#include "run/stage_pool.hpp"

namespace millrace::inline v1 {

/// One worker of a pool: takes an item, works on it, hands on what it gives. [its own thread]
class PoolWorker {
 public:
  PoolWorker(StagePool& pool, Receiver<Parcel> input, std::vector<Sender<Parcel>> outputs);

  /// Until the input is closed and empty, or the run is cancelled. Never throws.
  void serve() noexcept;

 private:
  using Clock = Context::Clock;

  void handle(Parcel parcel);
  bool take_slot(const Context& context);
  bool ready();
  std::optional<Error> work(ItemContext& context, const Token& token, Payload payload);
  void emit(const Token& token, Payload payload, std::optional<std::uint32_t> page);
  void wait_for_room(const Context& context, std::vector<std::pair<std::size_t, Parcel>> parcels);
  void conclude(const ItemContext& context, Token token);
  void fail(const ItemContext& context, Token token, const Error& error);
  void write(Journal::Chapter chapter, const ItemContext& context, const Token& token,
             const Error& error);

  StagePool& pool_;
  RunState& run_;
  const Receiver<Parcel> input_;
  std::vector<Sender<Parcel>> outputs_;
  const bool needs_cpu_;

  std::unique_ptr<StageWorker> worker_;  // made at the first item: it may be expensive
  std::optional<Slots::Slot> slot_;      // while working and needs_cpu_
  std::size_t emitted_ = 0;              // of the present item
  Clock::duration waited_{};             // in emit(), for the present item

  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  Clock::duration busy_{};
};

}  // namespace millrace::inline v1
