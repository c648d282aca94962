// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/plan/table.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/console.hpp"
#include "cli/plan/settings.hpp"
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

/// What is said below a stage's row.
std::string notes_on(const Plan& plan, const PlannedStage& stage, bool all) {
  if (stage.takes_failures)
    return wrapped("inputs that failed at " + ids_of(plan, stage.inputs) + ": opened again",
                   notes_indent);
  auto options = options_of(stage);
  const auto defaults = std::ranges::stable_partition(
      options, [](const Setting& setting) { return setting.provenance != nullptr; });
  std::vector<Setting> usual(defaults.begin(), defaults.end());
  options.erase(defaults.begin(), defaults.end());
  auto text = wrapped(listed(options, all), notes_indent) +
              wrapped(listed(engine_settings_of(stage), all), notes_indent);
  std::vector<std::string> defaults_listed;
  for (const auto& setting : usual) {
    if (!defaults_listed.empty()) defaults_listed.back() += ",";
    defaults_listed.push_back((defaults_listed.empty() ? "(default) " : "") + setting.name + ": " +
                              printable(setting.value));
  }
  return all ? text + wrapped(defaults_listed, notes_indent) : text;
}

std::string line_of(const Row& row, const std::vector<std::size_t>& widths) {
  std::string line = " ";
  for (std::size_t i = 0; i < row.size(); ++i) line += " " + left(row[i], widths[i]);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string table_of(const Plan& plan, bool all) {
  std::vector<Row> rows = {{"id", "stage", "from", "workers", "queue"}};
  const auto fused = fused_into(plan);
  for (std::size_t i = 0; i < fused.size(); ++i)
    rows.push_back(row_of(plan, plan.stages[i], fused[i]));
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]) + 1);

  auto text = printable(plan.name.empty() ? plan.file : plan.name) + ": " +
              counted(plan.stages.size(), "stage") + "\n" +
              wrapped(listed(run_settings_of(plan), all), run_indent) + line_of(rows[0], widths);
  bool any_converter = false;
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const auto& stage = plan.stages[i];
    text += line_of(rows[i + 1], widths) + notes_on(plan, stage, all);
    any_converter = any_converter || (stage.inserted && !stage.takes_failures);
  }
  if (any_converter)
    text += "+ put in by Millrace, between what one stage gives and the next takes\n";
  return text;
}

}  // namespace millrace::cli
