// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verbs.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

constexpr std::size_t options_indent = 6;

using Row = std::vector<std::string>;

std::string sources_of(const Plan& plan, const PlannedStage& stage) {
  std::string text;
  for (const auto input : stage.inputs) text += (text.empty() ? "" : ", ") + plan.stages[input].id;
  return text.empty() ? "-" : text;
}

Row row_of(const Plan& plan, const PlannedStage& stage) {
  return {printable(stage.id) + (stage.inserted ? " +" : ""), stage.name,
          printable(sources_of(plan, stage)), std::to_string(stage.workers),
          stage.inputs.empty() ? "-" : std::to_string(stage.queue)};
}

/// The settings as the stage has them, those that are absent left out.
std::string options_of(Stage& stage) {
  Options options;
  stage.options(options);
  std::string text;
  for (const auto& option : options.all()) {
    const auto value = option.print();
    if (!value.empty())
      text += (text.empty() ? "" : ", ") + option.name() + ": " + printable(value);
  }
  return text;
}

void print_row(const Row& row, const std::vector<std::size_t>& widths) {
  std::string line = " ";
  for (std::size_t i = 0; i < row.size(); ++i) line += " " + left(row[i], widths[i]);
  line.erase(line.find_last_not_of(' ') + 1);
  std::cout << line << "\n";
}

}  // namespace

int print_plan(const PipelineArguments& arguments) {
  const auto plan = load(arguments);
  if (!plan) return Exit::wrong_usage;
  std::vector<Row> rows = {{"id", "stage", "from", "workers", "queue"}};
  for (const auto& stage : plan->stages) rows.push_back(row_of(*plan, stage));
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]) + 1);

  std::cout << printable(plan->name.empty() ? arguments.file : plan->name) << ": "
            << counted(plan->stages.size(), "stage") << "\n";
  print_row(rows[0], widths);
  bool any_inserted = false;
  for (std::size_t i = 0; i < plan->stages.size(); ++i) {
    print_row(rows[i + 1], widths);
    std::cout << wrapped(options_of(*plan->stages[i].stage), options_indent);
    any_inserted = any_inserted || plan->stages[i].inserted;
  }
  if (any_inserted)
    std::cout << "+ put in by Millrace, between what one stage gives and the next takes\n";
  return Exit::all_done;
}

}  // namespace millrace::cli
