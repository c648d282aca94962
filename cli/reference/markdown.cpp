// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <map>
#include <string>

#include "cli/reference/print.hpp"
#include "cli/reference/schema.hpp"
#include "config/engine_options.hpp"

namespace millrace::cli {
namespace {

/// What a table's cell may hold.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '<') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

std::string row(std::initializer_list<std::string> cells) {
  std::string text = "|";
  for (const auto& each : cells) text += (each.empty() ? " |" : " " + each + " |");
  return text + "\n";
}

std::string allowed_of(const Option& option) {
  std::string names;
  for (const auto& [name, summary] : option.choices())
    names += (names.empty() ? "" : ", ") + code(name);
  return names.empty() ? range_text(option) : names;
}

std::string default_of(const Option& option) {
  if (option.is_required()) return "required";
  return option.default_text().empty() ? "not set" : code(option.default_text());
}

std::string choices_markdown(const Option& option) {
  std::string text;
  for (const auto& [name, summary] : option.choices())
    if (!summary.empty()) text += row({code(name), cell(summary)});
  return text.empty() ? text : "\n" + row({code(option.name()), ""}) + "|---|---|\n" + text;
}

std::string options_markdown(const Options& options) {
  std::string text = "| option | type | allowed | unit | default | |\n|---|---|---|---|---|---|\n";
  for (const auto& option : options.all())
    text += row({code(option.name()), cell(option.type()), allowed_of(option), cell(option.unit()),
                 default_of(option), cell(option.summary())});
  for (const auto& option : options.all()) text += choices_markdown(option);
  return text;
}

std::string links_to(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "[" : ", [") + name + "](" + name + ".md)";
  return text;
}

const char* workers_of(const Stage& stage) {
  if (stage.concurrency() == Concurrency::serial) return "one: it takes one item after the other";
  if (stage.concurrency() == Concurrency::serial_ordered)
    return "one: it takes one item after the other, in the sources' order";
  return stage.load() == Load::cpu ? "one for each CPU"
                                   : "several for each CPU, since it waits more than it computes";
}

std::string properties_markdown(const StageFacts& stage) {
  const auto flow = stage.flow();
  std::string text = "| | |\n|---|---|\n";
  text += row({"takes", flow.takes.empty() ? "nothing: a source" : kinds_text(flow.takes)});
  text +=
      row({"gives", flow.gives ? kinds_text({*flow.gives}) +
                                     (stage.made.stage->splits() ? ", one or more of an item" : "")
                               : "nothing: a sink"});
  text += row({"workers", workers_of(*stage.made.stage)});
  if (!stage.converters.empty())
    text += row(
        {"put in before it", links_to(stage.converters) +
                                 ", where something else comes; their options may stand here too"});
  if (stage.entry->role == Role::converter)
    text += row({"by itself", "put in where a stage needs what it gives"});
  if (stage.entry->role == Role::decoder)
    text += row({"by itself", "asked by [decode](decode.md) for the formats that it knows"});
  if (!stage.entry->plugin.empty()) text += row({"plugin", code(plugin_name(*stage.entry))});
  return text;
}

std::string settings_markdown(const std::string& title, const std::string& what,
                              const EngineOptions& options, const char* example) {
  std::string text = "# " + title + "\n\n" + what + "\n\n" + options_markdown(options.plain);
  for (const auto& [name, inside] : options.inside)
    text += "\n## `" + name + "` as a map\n\n" + options_markdown(inside);
  return text + "\n## Example\n\n```yaml\n" + example + "```\n";
}

constexpr const char* run_example = R"(version: 1
run: { memory: 2GiB, order: preserve, on_error: { max_failures: 5% }, shutdown_timeout: 1m }
stages:
  - files: { path: in }
  - resize: { width: 800 }
  - write: { path: "out/{dir}/{stem}.jpg" }
)";

constexpr const char* item_example = R"(version: 1
stages:
  - files: { path: in }
    retry: { attempts: 3, backoff: 1s..30s }
  - decode:
    timeout: 1m
    isolate: { memory: 2GiB }
  - resize: { width: 800 }
    id: small
    workers: 2*cpu
  - write: { path: "out/{dir}/{stem}.jpg" }
    rate: 20/s
  - grayscale:
    from: small
    queue: 4
  - write: { path: "gray/{dir}/{stem}.png" }
    on_error: stop
  - write: { path: "failed/{path}" }
    from: "*.failed"
)";

std::string group_markdown(const char* title, StageGroup group,
                           const std::vector<StageFacts>& stages) {
  std::string rows;
  for (const auto& stage : stages)
    if (stage.made.stage && group_of(stage.flow()) == group)
      rows += row({"[" + stage.name() + "](stages/" + stage.name() + ".md)",
                   cell(stage.entry->summary), kinds_text(stage.flow().takes),
                   stage.flow().gives ? kinds_text({*stage.flow().gives}) : ""});
  if (rows.empty()) return rows;
  return "\n## " + std::string(title) + "\n\n| stage | | takes | gives |\n|---|---|---|---|\n" +
         rows;
}

}  // namespace

std::string stage_markdown(const StageFacts& stage) {
  std::string text = "# " + stage.name() + "\n\n" + stage.entry->summary + "\n\n" +
                     properties_markdown(stage) + "\n## Options\n\n";
  text +=
      stage.made.options.all().empty() ? "It has none.\n" : options_markdown(stage.made.options);
  return text + "\n## Example\n\n```yaml\n" + example_pipeline(stage) + "```\n";
}

std::map<std::string, std::string> reference_pages(const std::vector<StageFacts>& stages) {
  std::map<std::string, std::string> pages;
  for (const auto& stage : stages)
    if (stage.made.stage) pages["stages/" + stage.name() + ".md"] = stage_markdown(stage);
  pages["run.md"] = settings_markdown("The settings of `run`",
                                      "They hold for the whole run; each may be left out.",
                                      RunOptions().declared, run_example);
  pages["beside-a-stage.md"] = settings_markdown(
      "Beside a stage",
      "These stand beside a stage's name, not among its options; each may be left out.",
      ItemOptions().declared, item_example);
  pages["millrace.schema.json"] = schema_json(stages);
  pages["README.md"] =
      "# Reference\n\n"
      "`millrace stages --markdown --output docs/reference` writes these pages from what the "
      "stages "
      "themselves declare.\n\n"
      "A pipeline's file has `version: 1`, a `name`, `vars`, the settings of [run](run.md), and "
      "its "
      "`stages`; some keys may stand [beside a stage](beside-a-stage.md).\n" +
      group_markdown("Sources", StageGroup::source, stages) +
      group_markdown("Transforms", StageGroup::transform, stages) +
      group_markdown("Sinks", StageGroup::sink, stages);
  return pages;
}

}  // namespace millrace::cli
