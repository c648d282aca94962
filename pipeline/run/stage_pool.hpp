// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "concurrency/threads.hpp"
#include "millrace/channel.hpp"
#include "millrace/run.hpp"
#include "run/run_state.hpp"
#include "run/token.hpp"

namespace millrace::inline v1 {

/// What a channel between stages carries.
struct Parcel {
  Parcel(Token right, Payload what) : token(std::move(right)), payload(std::move(what)) {}
  // cv::Mat's move does not throw, but OpenCV 4 does not say so.
  Parcel(Parcel&& other) noexcept
      : token(std::move(other.token)), payload(std::move(other.payload)) {}
  Parcel& operator=(Parcel&&) = delete;

  Token token;
  Payload payload;
};

/// A stage of a running plan: the channel in front of it and its workers' threads. It closes what
/// is downstream by ending, when what is in front of it has been closed and is empty.
class StagePool {
 public:
  /// `rank`: the distance from the sinks.
  StagePool(const PlannedStage& planned, std::size_t index, std::size_t rank, RunState& run);

  Sender<Parcel> sender() const { return input_.sender(); }
  void feeds(const StagePool& consumer) { outputs_.push_back(consumer.sender()); }

  /// Starts every worker. From here on only the workers keep the outputs open.
  void start(Threads& threads);

  /// Drops what is still in the channel; the workers have ended.
  void discard() const;
  Report::StageCounts counts() const;

  const PlannedStage& planned() const noexcept { return planned_; }
  std::size_t index() const noexcept { return index_; }
  std::size_t rank() const noexcept { return rank_; }
  RunState& run() const noexcept { return run_; }

  /// Adds what one worker counted. [any thread, at once]
  void add(std::size_t done, std::size_t failed, Context::Clock::duration busy);

 private:
  const PlannedStage& planned_;
  const std::size_t index_;
  const std::size_t rank_;
  RunState& run_;
  const Channel<Parcel> input_;
  std::vector<Sender<Parcel>> outputs_;

  mutable std::mutex mutex_;
  Report::StageCounts counts_;
};

}  // namespace millrace::inline v1
