// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "millrace/pipeline.hpp"
#include "millrace/stage.hpp"

namespace millrace_test {

using namespace millrace;

/// Names items "0", "1", ... and opens them as bytes without content.
struct FakeSource final : Source {
  explicit FakeSource(std::size_t items) : count(items) {}

  std::optional<PayloadKind> gives() const override { return PayloadKind::bytes; }
  void list(const Context&, const std::function<void(Origin)>& found,
            const std::function<void(Origin, Error)>& failed) const override {
    for (std::size_t i = 0; i < count; ++i) {
      Origin origin{std::to_string(i), {}, i, {}};
      if (unlistable && unlistable(i))
        failed(std::move(origin), Error(ErrorKind::input, "cannot be listed"));
      else
        found(std::move(origin));
    }
  }
  Payload open(ItemContext& context) const override {
    if (opening) opening(context);
    return Bytes{nullptr, "txt"};
  }

  std::uint64_t memory(const Origin& origin) const noexcept override {
    return weighing ? weighing(origin) : 0;
  }

  std::size_t count;
  std::function<std::uint64_t(const Origin&)> weighing;
  std::function<bool(std::size_t)> unlistable;
  std::function<void(ItemContext&)> opening;
};

/// A stage of functions: what it does with an item, and what it does at a worker's start.
struct FakeStage : Stage {
  using Work = std::function<void(ItemContext&, Payload, const Emit&)>;

  explicit FakeStage(Work function, Load kind = Load::io)
      : work(std::move(function)), kind_of_load(kind) {}

  std::vector<PayloadKind> takes() const override { return {PayloadKind::bytes}; }
  std::optional<PayloadKind> gives() const override { return PayloadKind::bytes; }
  Load load() const override { return kind_of_load; }
  std::unique_ptr<StageWorker> make_worker(const Context& context) const override {
    if (starting) starting(context);
    struct Worker final : StageWorker {
      explicit Worker(const FakeStage& owner) : stage(owner) {}
      void work(ItemContext& item, Payload payload, const Emit& emit) override {
        stage.work(item, std::move(payload), emit);
      }
      const FakeStage& stage;
    };
    return std::make_unique<Worker>(*this);
  }

  Work work;
  Load kind_of_load;
  std::function<void(const Context&)> starting;
};

inline void pass(ItemContext&, Payload payload, const Emit& emit) {
  emit(std::move(payload), std::nullopt);
}

/// What arrived at a sink. [any thread, at once]
class Arrivals {
 public:
  FakeStage::Work taker() {
    return [this](ItemContext& context, Payload, const Emit&) { add(context.origin().label()); };
  }
  void add(std::string label) {
    const std::lock_guard lock(mutex_);
    labels_.push_back(std::move(label));
  }
  std::vector<std::string> sorted() const {
    const std::lock_guard lock(mutex_);
    auto labels = labels_;
    std::ranges::sort(labels);
    return labels;
  }
  std::vector<std::string> in_order() const {
    const std::lock_guard lock(mutex_);
    return labels_;
  }
  std::size_t count() const { return sorted().size(); }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> labels_;
};

/// Adds a stage that reads from `inputs`; gives its index.
inline std::size_t add(Plan& plan, std::string id, std::unique_ptr<Stage> stage,
                       std::vector<std::size_t> inputs, std::size_t workers = 1,
                       std::size_t queue = 2) {
  const std::size_t index = plan.stages.size();
  for (const auto input : inputs) plan.stages[input].outputs.push_back(index);
  PlannedStage planned;
  planned.name = id;
  planned.id = std::move(id);
  planned.stage = std::move(stage);
  planned.inputs = std::move(inputs);
  planned.workers = workers;
  planned.queue = queue;
  plan.stages.push_back(std::move(planned));
  return index;
}

inline std::size_t add(Plan& plan, std::string id, FakeStage::Work work,
                       std::vector<std::size_t> inputs, std::size_t workers = 1,
                       std::size_t queue = 2) {
  return add(plan, std::move(id), std::make_unique<FakeStage>(std::move(work)), std::move(inputs),
             workers, queue);
}

/// A stage that takes the inputs that fail at `inputs`, opened again.
inline std::size_t add_failed(Plan& plan, const std::vector<std::size_t>& inputs,
                              std::size_t queue = 2) {
  const std::size_t index = plan.stages.size();
  for (const auto input : inputs) plan.stages[input].failures.push_back(index);
  PlannedStage planned;
  planned.name = planned.id = "failed" + std::to_string(index);
  planned.stage = std::make_unique<FakeStage>(
      [](ItemContext&, Payload, const Emit&) { throw Error(ErrorKind::internal, "not called"); });
  planned.inputs = inputs;
  planned.queue = queue;
  planned.takes_failures = true;
  plan.stages.push_back(std::move(planned));
  return index;
}

inline std::size_t add_source(Plan& plan, std::size_t items, std::size_t workers = 1) {
  return add(plan, "source" + std::to_string(plan.stages.size()),
             std::make_unique<FakeSource>(items), {}, workers);
}

}  // namespace millrace_test
