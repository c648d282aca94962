// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/run.hpp"

#include <algorithm>
#include <memory>
#include <opencv2/core/utility.hpp>
#include <utility>

#include "concurrency/slots.hpp"
#include "concurrency/threads.hpp"
#include "run/listing.hpp"
#include "run/run_state.hpp"
#include "run/stage_pool.hpp"

namespace millrace::inline v1 {
namespace {

/// Enough that no worker goes without an item, and a few to be listed and opened meanwhile.
std::size_t window_size(const Plan& plan) {
  std::size_t workers = 0;
  for (const auto& stage : plan.stages) workers += stage.workers;
  return std::max<std::size_t>(plan.run.in_flight.value_or(workers + 4), 1);
}

/// The longest way from each stage to a sink.
std::vector<std::size_t> ranks_of(const Plan& plan) {
  std::vector<std::size_t> ranks(plan.stages.size(), 0);
  for (std::size_t i = plan.stages.size(); i-- > 0;)
    for (const auto output : plan.stages[i].outputs)
      ranks[i] = std::max(ranks[i], ranks[output] + 1);
  return ranks;
}

class Runner {
 public:
  Runner(const Plan& plan, const Shutdown& shutdown, const std::vector<Listed>& inputs,
         Progress& progress)
      : inputs_(inputs),
        state_(plan, shutdown, inputs.size(), progress),
        window_(window_size(plan)) {
    const auto ranks = ranks_of(plan);
    for (std::size_t i = 0; i < plan.stages.size(); ++i)
      pools_.push_back(std::make_unique<StagePool>(plan.stages[i], i, ranks[i], state_));
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
      for (const auto output : plan.stages[i].outputs) pools_[i]->feeds(*pools_[output]);
      entries_.push_back(plan.stages[i].inputs.empty() ? pools_[i]->sender() : Sender<Parcel>());
    }
  }

  ~Runner() {
    state_.stop();  // on the way out of an error: the threads must end before they are joined
  }

  /// Runs to the end; every thread is joined then.
  void run() {
    // From the sinks up, so that whoever hands something on has somebody to take it.
    for (auto pool = pools_.rbegin(); pool != pools_.rend(); ++pool) (*pool)->start(threads_);
    for (const auto& input : inputs_) admit(input);
    entries_.clear();  // the end of the input: pools close one another downstream
    threads_.join();
    for (const auto& pool : pools_) pool->discard();
    state_.rethrow();
  }

  Report report() {
    Report report;
    state_.tally.fill(report);
    state_.journal.fill(report);
    report.stopped_by_on_error = state_.stopped_by_on_error;
    for (const auto& pool : pools_) report.stages.push_back(pool->counts());
    return report;
  }

 private:
  void admit(const Listed& input) {
    if (state_.admission.done() || state_.work.done()) return state_.tally.end(Outcome::cancelled);
    if (input.failure) return refuse(input);
    auto place = window_.acquire(state_.admission);
    if (!place) return state_.tally.end(Outcome::cancelled);
    Token token(std::make_shared<Item>(input.origin, input.source, state_.work.child(),
                                       std::move(*place), state_.tally));
    const Context context = token.context();
    // What is not taken is dropped with its token, which counts it as cancelled.
    (void)entries_[input.source].push(context, Parcel(std::move(token), Payload()));
  }

  void refuse(const Listed& input) {
    state_.journal.write(Journal::Chapter::failures, input.origin, input.source, input.source,
                         *input.failure);
    state_.tally.end(Outcome::failed);
    if (!state_.policy.stops_at(input.source, true)) return;
    state_.stopped_by_on_error = true;
    state_.stop();
  }

  const std::vector<Listed>& inputs_;
  RunState state_;
  Slots window_;
  std::vector<std::unique_ptr<StagePool>> pools_;
  std::vector<Sender<Parcel>> entries_;  // by stage; of sources only
  Threads threads_;                      // last: joined before what they use is gone
};

}  // namespace

Report run(const Plan& plan, const Shutdown& shutdown, Progress* progress) {
  const auto started = Context::Clock::now();
  cv::setNumThreads(1);  // the pools are what is parallel
  Progress own;
  const auto inputs = list_inputs(plan, shutdown.admission());
  if (!shutdown.admission().done()) prepare_outputs(plan, inputs);
  Runner runner(plan, shutdown, inputs, progress ? *progress : own);
  runner.run();
  Report report = runner.report();
  report.elapsed = Context::Clock::now() - started;
  return report;
}

}  // namespace millrace::inline v1
