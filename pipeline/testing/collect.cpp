// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/collect.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "config/prototypes.hpp"
#include "millrace/catalogue.hpp"

namespace millrace::inline v1 {
namespace {

StageWithOptions make_files() {
  const auto* entry = Catalogue::instance().find("files");
  if (!entry) throw Error(ErrorKind::internal, "there is no stage 'files'");
  return make_stage(*entry);
}

class GivenInputs final : public Source {
 public:
  explicit GivenInputs(std::vector<Origin> inputs)
      : files_(make_files()), inputs_(std::move(inputs)) {}

  std::optional<PayloadKind> gives() const override { return PayloadKind::bytes; }

  /// Its complaint is about a path that nobody has written.
  std::vector<std::string> accept(const Demand& demand) override {
    (void)files_.stage->accept(demand);
    return {};
  }

  void list(const Context&, const std::function<void(Origin)>& found,
            const std::function<void(Origin, Error)>&) const override {
    for (const Origin& input : inputs_) found(input);
  }
  Payload open(ItemContext& context) const override { return files().open(context); }
  std::uint64_t memory(const Origin& origin) const noexcept override {
    return files().memory(origin);
  }

 private:
  const Source& files() const noexcept { return static_cast<const Source&>(*files_.stage); }

  StageWithOptions files_;
  std::vector<Origin> inputs_;
};

class Collector final : public Stage, public OutputPlanner {
 public:
  explicit Collector(Collecting collecting) : its_(std::move(collecting)) {}

  void options(Options& options) override {
    if (its_.sink) its_.sink->options(options);
  }
  std::vector<std::string> check() const override {
    return its_.sink ? its_.sink->check() : std::vector<std::string>();
  }
  Load load() const override { return its_.sink ? its_.sink->load() : Load::io; }
  Concurrency concurrency() const override {
    return its_.sink ? its_.sink->concurrency() : Concurrency::parallel;
  }
  std::vector<PayloadKind> takes() const override {
    if (its_.sink) return its_.sink->takes();
    return {PayloadKind::bytes, PayloadKind::image, PayloadKind::text};
  }
  std::optional<PayloadKind> gives() const override { return std::nullopt; }
  Demand demand(const Demand& downstream) const override {
    return its_.sink ? its_.sink->demand(downstream) : Demand();
  }

  OutputForecast prepare(const std::vector<const Origin*>& items,
                         std::shared_ptr<RunOutputs> run) override {
    auto* const planner = its_.writes ? dynamic_cast<OutputPlanner*>(its_.sink.get()) : nullptr;
    return planner ? planner->prepare(items, std::move(run)) : OutputForecast();
  }

  std::unique_ptr<StageWorker> make_worker(const Context& context) const override {
    struct Worker final : StageWorker {
      void work(ItemContext& context, Payload payload, const Emit& emit) override {
        if (writer) writer->work(context, payload, emit);
        if (its->outputs && !context.skipped())
          its->outputs->add({its->place, its->id, context.origin(), std::move(payload)});
      }
      const Collecting* its = nullptr;
      std::unique_ptr<StageWorker> writer;
    };
    auto worker = std::make_unique<Worker>();
    worker->its = &its_;
    if (its_.writes) worker->writer = its_.sink->make_worker(context);
    return worker;
  }

 private:
  const Collecting its_;
};

std::vector<Origin> list_one(const std::filesystem::path& folder, const std::string& input) {
  const auto written = "input: " + input + ": ";
  if (input.empty()) throw Error(ErrorKind::input, "input: a name is empty");
  auto files = make_files();
  std::vector<Origin> found;
  const auto add = [&](Origin origin) { found.push_back(std::move(origin)); };
  try {
    if (const auto no = files.options.find("path")->assign(
            Value::scalar((folder / input).lexically_normal().string())))
      throw Error(ErrorKind::input, *no);
    static_cast<const Source&>(*files.stage).list(Context(), add, [](Origin origin, Error error) {
      throw error.in(origin.label());
    });
  } catch (const Error& error) {
    std::string_view message = error.what();
    if (message.starts_with("path: ")) message.remove_prefix(6);
    throw Error(ErrorKind::input, written + std::string(message));
  }
  return found;
}

}  // namespace

void Outputs::add(Output output) {
  all_.with([&](auto& all) { all.push_back(std::move(output)); });
}

std::vector<Output> Outputs::take() {
  auto all = all_.with([](auto& outputs) { return std::exchange(outputs, {}); });
  std::ranges::stable_sort(all, [](const Output& a, const Output& b) {
    return std::tuple(a.sink, a.origin.index, a.origin.page) <
           std::tuple(b.sink, b.origin.index, b.origin.page);
  });
  return all;
}

Inputs list_inputs(const TestCase& test, const std::filesystem::path& folder) {
  Inputs all;
  for (const auto& [source, inputs] : test.inputs) {
    auto& listed = all[source];
    for (const auto& input : inputs)
      std::ranges::move(list_one(folder, input), std::back_inserter(listed));
  }
  return all;
}

std::unique_ptr<Stage> make_given_inputs(std::vector<Origin> inputs) {
  return std::make_unique<GivenInputs>(std::move(inputs));
}

std::unique_ptr<Stage> make_collector(Collecting collecting) {
  return std::make_unique<Collector>(std::move(collecting));
}

}  // namespace millrace::inline v1
