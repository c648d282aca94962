// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/reference/facts.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "millrace/error.hpp"

namespace millrace::cli {
namespace {

StageFacts made(const Catalogue::Entry& entry) {
  StageFacts facts;
  facts.entry = &entry;
  try {
    facts.made = make_stage(entry);
  } catch (const Error& error) {
    facts.problem = error.what();
  }
  return facts;
}

bool comes_in(const StageFacts& converter, const StageFacts& stage) {
  if (converter.entry->role != Role::converter || !converter.made.stage || !stage.made.stage ||
      converter.entry == stage.entry)
    return false;
  const auto given = converter.made.stage->gives();
  return given && std::ranges::count(stage.made.stage->takes(), *given) > 0;
}

void find_converters(StageFacts& stage, const std::vector<StageFacts>& among) {
  for (const auto& converter : among)
    if (comes_in(converter, stage)) stage.converters.push_back(converter.name());
}

/// What stands in front of a stage so that it gets what it takes.
std::string lead_in(const Flow& flow) {
  if (flow.takes.empty()) return {};
  std::string lines = "  - files: { path: in }\n";
  if (flow.takes == std::vector{PayloadKind::text}) lines += "  - ocr\n";
  return lines;
}

/// A writer whose file's name says what comes.
std::string lead_out(const Flow& flow) {
  if (!flow.gives) return {};
  const bool as_named = flow.takes.empty() && *flow.gives == PayloadKind::bytes;
  const char* const name = as_named                            ? "{path}"
                           : *flow.gives == PayloadKind::image ? "{dir}/{stem}.jpg"
                           : *flow.gives == PayloadKind::text  ? "{dir}/{stem}.txt"
                                                               : "{dir}/{stem}.{ext}";
  return "  - write: { path: \"out/" + std::string(name) + "\" }\n";
}

}  // namespace

StageGroup group_of(const Flow& flow) {
  if (flow.takes.empty()) return StageGroup::source;
  return flow.gives ? StageGroup::transform : StageGroup::sink;
}

std::vector<StageFacts> facts_of_all(const Catalogue& catalogue) {
  std::vector<StageFacts> all;
  for (const auto* const entry : catalogue.all()) all.push_back(made(*entry));
  for (auto& stage : all) find_converters(stage, all);
  return all;
}

StageFacts facts_of(const Catalogue& catalogue, const Catalogue::Entry& entry) {
  std::vector<StageFacts> converters;
  for (const auto* const other : catalogue.all())
    if (other->role == Role::converter && other->plugin.empty()) converters.push_back(made(*other));
  StageFacts stage = made(entry);
  find_converters(stage, converters);
  return stage;
}

std::string plugin_name(const Catalogue::Entry& entry) {
  return std::filesystem::path(entry.plugin).stem().string();
}

std::string kinds_text(const std::vector<PayloadKind>& kinds) {
  std::string text;
  for (const auto kind : kinds) text += (text.empty() ? "" : " or ") + std::string(name_of(kind));
  return text;
}

std::string example_item(const std::string& name, const Options& options) {
  std::string settings;
  const auto add = [&settings](const Option& option, const std::string& value) {
    settings += (settings.empty() ? "" : ", ") + option.name() + ": " + value;
  };
  for (const auto& option : options.all())
    if (!option.example().empty() || option.is_required())
      add(option, option.example().empty() ? "<" + option.type() + ">" : option.example());
  if (settings.empty() && !options.all().empty())
    if (const auto& option = options.all().front(); !option.default_text().empty())
      add(option, option.default_text());
  return settings.empty() ? name : name + ": { " + settings + " }";
}

std::string example_pipeline(const StageFacts& stage) {
  const auto flow = stage.flow();
  return "version: 1\nstages:\n" + lead_in(flow) + "  - " +
         example_item(stage.name(), stage.made.options) + "\n" + lead_out(flow);
}

std::string type_text(const Option& option) {
  const auto allowed = option.allowed();
  if (!option.choices().empty() || allowed.empty()) return allowed;
  return allowed == option.type() ? allowed : option.type() + ", " + allowed;
}

std::string range_text(const Option& option) {
  const auto limits = option.limits();
  if (!limits) return {};
  const auto number = [](double limit) { return OptionType<double>::print(limit); };
  if (std::isinf(limits->first)) return number(limits->second) + " or less";
  if (std::isinf(limits->second)) return number(limits->first) + " or more";
  return number(limits->first) + ".." + number(limits->second);
}

}  // namespace millrace::cli
