// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verb.hpp"
#include "config/engine_types.hpp"
#include "run/fusion.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

constexpr std::size_t run_indent = 2;
constexpr std::size_t notes_indent = 6;

using Row = std::vector<std::string>;

std::string ids_of(const Plan& plan, const std::vector<std::size_t>& stages) {
  std::string text;
  for (const auto stage : stages) text += (text.empty() ? "" : ", ") + plan.stages[stage].id;
  return printable(text);
}

std::string sources_of(const Plan& plan, const PlannedStage& stage) {
  if (stage.takes_failures) return "failures";
  return stage.inputs.empty() ? "-" : ids_of(plan, stage.inputs);
}

/// `front`: the stage on whose workers it works, where it has none of its own.
Row row_of(const Plan& plan, const PlannedStage& stage, std::optional<std::size_t> front) {
  return {printable(stage.id) + (stage.inserted ? " +" : ""), stage.name, sources_of(plan, stage),
          front ? "with " + printable(plan.stages[*front].id) : std::to_string(stage.workers),
          front || stage.inputs.empty() ? "-" : std::to_string(stage.queue)};
}

/// `name: value`, the ones behind the others.
class Settings {
 public:
  void add(const std::string& name, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + name + ": " + printable(value);
  }
  template <class T>
  void add_typed(const std::string& name, const T& value) {
    add(name, OptionType<T>::print(value));
  }
  void add(const OnError& on_error) {
    const auto limit = OptionType<Length>::print(on_error.max_failures);
    add("on_error", on_error.action == OnError::Action::carry_on ? "continue"
                    : on_error.action == OnError::Action::stop   ? "stop"
                                                               : "{ max_failures: " + limit + " }");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The settings as the stage has them, those that are absent left out.
std::string options_of(Stage& stage) {
  Options options;
  stage.options(options);
  Settings settings;
  for (const auto& option : options.all())
    if (const auto value = option.print(); !value.empty()) settings.add(option.name(), value);
  return settings.text();
}

std::string isolate_text(const Isolate& isolate) {
  Settings settings;
  if (isolate.memory) settings.add_typed("memory", ByteSize{*isolate.memory});
  if (isolate.crashes != Isolate().crashes)
    settings.add("crashes", std::to_string(isolate.crashes));
  return settings.text().empty() ? "process" : "{ " + settings.text() + " }";
}

/// What stands beside the stage and is not the default.
std::string engine_settings_of(const PlannedStage& stage) {
  Settings settings;
  if (stage.timeout) settings.add_typed("timeout", *stage.timeout);
  if (stage.retry.attempts > 1) {
    const Backoff backoff{stage.retry.first_wait, stage.retry.longest_wait};
    settings.add("retry", "{ attempts: " + std::to_string(stage.retry.attempts) +
                              ", backoff: " + OptionType<Backoff>::print(backoff) + " }");
  }
  if (stage.rate) settings.add_typed("rate", *stage.rate);
  if (stage.on_error) settings.add(*stage.on_error);
  if (stage.isolate) settings.add("isolate", isolate_text(*stage.isolate));
  return settings.text();
}

/// What of the run is not the default.
std::string run_settings_of(const RunSettings& run) {
  const RunSettings usual;
  Settings settings;
  if (run.memory) settings.add_typed("memory", ByteSize{*run.memory});
  if (run.in_flight) settings.add("in_flight", std::to_string(*run.in_flight));
  if (run.order == Order::preserve) settings.add("order", "preserve");
  if (run.on_error.action != usual.on_error.action) settings.add(run.on_error);
  if (run.shutdown_timeout != usual.shutdown_timeout)
    settings.add_typed("shutdown_timeout", run.shutdown_timeout);
  return settings.text();
}

/// What is said below a stage's row, each on a line of its own or several.
std::vector<std::string> notes_on(const Plan& plan, std::size_t index) {
  const PlannedStage& stage = plan.stages[index];
  if (stage.takes_failures)
    return {"inputs that failed at " + ids_of(plan, stage.inputs) + ": opened again"};
  return {options_of(*stage.stage), engine_settings_of(stage)};
}

void print_row(const Row& row, const std::vector<std::size_t>& widths) {
  std::string line = " ";
  for (std::size_t i = 0; i < row.size(); ++i) line += " " + left(row[i], widths[i]);
  line.erase(line.find_last_not_of(' ') + 1);
  std::cout << line << "\n";
}

struct ShowPlan final : Verb {
  PipelineArguments pipeline;

  void arguments(Arguments& a) override { pipeline.declare(a); }
  int run() override;
};

int ShowPlan::run() {
  const auto plan = load(pipeline);
  if (!plan) return Exit::wrong_usage;
  std::vector<Row> rows = {{"id", "stage", "from", "workers", "queue"}};
  const auto fused = fused_into(*plan);
  for (std::size_t i = 0; i < fused.size(); ++i)
    rows.push_back(row_of(*plan, plan->stages[i], fused[i]));
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]) + 1);

  std::cout << printable(plan->name.empty() ? pipeline.file : plan->name) << ": "
            << counted(plan->stages.size(), "stage") << "\n"
            << wrapped(run_settings_of(plan->run), run_indent);
  print_row(rows[0], widths);
  bool any_converter = false;
  for (std::size_t i = 0; i < plan->stages.size(); ++i) {
    print_row(rows[i + 1], widths);
    for (const auto& note : notes_on(*plan, i)) std::cout << wrapped(note, notes_indent);
    any_converter = any_converter || (plan->stages[i].inserted && !plan->stages[i].takes_failures);
  }
  if (any_converter)
    std::cout << "+ put in by Millrace, between what one stage gives and the next takes\n";
  return Exit::all_done;
}

const RegisterVerb<ShowPlan> registered{"plan", Verbs::Group::pipelines,
                                        "Show what a run would do, without running it",
                                        "millrace plan my.yaml --set in=photos"};

}  // namespace
}  // namespace millrace::cli
