// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/run.hpp"

#include <algorithm>
#include <memory>
#include <opencv2/core/utility.hpp>
#include <utility>

#include "run/admission.hpp"
#include "run/fusion.hpp"
#include "run/listing.hpp"
#include "run/order.hpp"
#include "run/run_state.hpp"
#include "run/stage_pool.hpp"

namespace millrace::inline v1 {
namespace {

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
         Progress& progress, RunObserver* observer)
      : inputs_(inputs),
        progress_(progress),
        state_(plan, shutdown, inputs.size(), progress, observer),
        admission_(plan) {
    const auto ranks = ranks_of(plan);
    for (std::size_t i = 0; i < plan.stages.size(); ++i)
      pools_.push_back(std::make_unique<StagePool>(plan.stages[i], i, ranks[i], state_));
    connect(plan);
    if (std::ranges::any_of(plan.stages,
                            [&](const auto& stage) { return takes_in_order(plan, stage); }))
      keep_order(plan);
    for (const auto& pool : pools_) pool->prepare();
    for (std::size_t i = 0; i < plan.stages.size(); ++i)
      entries_.push_back(plan.stages[i].inputs.empty() ? pools_[i]->sender() : Sender<Parcel>());
    for (const auto& pool : pools_) pool->seal();
    progress_.attach([this] { return look(); });
  }

  ~Runner() {
    progress_.attach({});
    state_.stop();  // on the way out of an error: the workers must end before they are joined
    end();
  }

  /// Runs to the end; every thread is joined then.
  void run() {
    // From the sinks up, so that whoever hands something on has somebody to take it.
    for (auto pool = pools_.rbegin(); pool != pools_.rend(); ++pool) (*pool)->start();
    for (const Listed* input : in_turns(inputs_)) admit(*input);
    end();
    state_.rethrow();
  }

  Report report() {
    Report report;
    state_.fill(report);
    for (const auto& pool : pools_) report.stages.push_back(pool->counts());
    return report;
  }

 private:
  void connect(const Plan& plan) {
    const auto fused = fused_into(plan);
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
      for (const auto output : plan.stages[i].outputs) pools_[i]->feeds(*pools_[output]);
      for (const auto taker : plan.stages[i].failures) pools_[i]->feeds_failures(*pools_[taker]);
      if (fused[i]) pools_[i]->share(*fused[i]);
    }
  }

  /// Tells each stage which stages that keep the order wait for what passes through it.
  void keep_order(const Plan& plan) {
    std::vector<std::vector<Sequencer*>> reached(plan.stages.size());
    for (std::size_t i = plan.stages.size(); i-- > 0;) {
      auto& sinks = reached[i];
      for (const auto* next : {&plan.stages[i].outputs, &plan.stages[i].failures})
        for (const auto stage : *next)
          for (auto* sink : reached[stage])
            if (std::ranges::count(sinks, sink) == 0) sinks.push_back(sink);
      const auto shared = [&] { return std::make_shared<const std::vector<Sequencer*>>(sinks); };
      if (takes_in_order(plan, plan.stages[i])) {
        pools_[i]->keep_order(shared());
        sinks.push_back(pools_[i]->sequencer());
      }
      pools_[i]->reaches(shared());
    }
  }

  std::vector<StageState> look() const {
    std::vector<StageState> states;
    for (const auto& pool : pools_) states.push_back(pool->state());
    return states;
  }

  void admit(const Listed& input) {
    if (state_.admission.done() || state_.work.done()) return state_.tally.cancel();
    if (input.failure) return refuse(input);
    StagePool& pool = *pools_[input.source];
    const auto& source = static_cast<const Source&>(*pool.planned().stage);
    auto admitted = admission_.admit(state_.admission, source.memory(input.origin));
    if (!admitted) return state_.tally.cancel();
    auto item = std::make_shared<Item>(input.origin, input.source, state_.work.child(),
                                       std::move(*admitted), state_.tally);
    const Context context = item->context();
    Token token(std::move(item), Expectation({++admitted_}, pool.sinks()));
    // What is not taken is dropped with its token, which counts it as cancelled.
    (void)entries_[input.source].push(context, Parcel(std::move(token), Payload()));
  }

  void refuse(const Listed& input) {
    state_.journal.write(Journal::Chapter::failures, input.origin, input.source, input.source,
                         *input.failure);
    state_.tally.end({input.origin, Ending::failed});
    if (!state_.policy.stops_at(input.source, true)) return;
    state_.stopped_by_on_error = true;
    state_.stop();
  }

  /// The end of the input: pools close one another downstream.
  void end() {
    entries_.clear();
    for (const auto& pool : pools_) pool->join();
    for (const auto& pool : pools_) pool->discard();
  }

  const std::vector<Listed>& inputs_;
  Progress& progress_;
  RunState state_;
  Admission admission_;
  std::uint32_t admitted_ = 0;
  std::vector<std::unique_ptr<StagePool>> pools_;
  std::vector<Sender<Parcel>> entries_;  // by stage; of sources only
};

}  // namespace

Report run(const Plan& plan, const Shutdown& shutdown, Progress* progress, RunObserver* observer) {
  const auto started = Context::Clock::now();
  cv::setNumThreads(0);  // none of its own, nor an arena: the pools are what is parallel
  Progress own;
  const auto inputs = list_inputs(plan, shutdown.admission());
  if (!shutdown.admission().done()) prepare_outputs(plan, inputs);
  Runner runner(plan, shutdown, inputs, progress ? *progress : own, observer);
  runner.run();
  Report report = runner.report();
  report.elapsed = Context::Clock::now() - started;
  return report;
}

}  // namespace millrace::inline v1
