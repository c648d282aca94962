// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/begin.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "cli/console.hpp"
#include "cli/quick/yaml_text.hpp"
#include "config/prototypes.hpp"
#include "millrace/error.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::cli {
namespace {

constexpr std::size_t columns = 96;

StageWithOptions made(const std::string& name) {
  const auto& catalogue = Catalogue::instance();
  const auto* const entry = catalogue.find(name);
  if (!entry)
    throw Error(ErrorKind::usage,
                "there is no stage '" + name + "'; " + Prototypes(catalogue).hint_for(name));
  return make_stage(*entry);
}

bool is_source(const Stage& stage) { return stage.takes().empty(); }
bool is_sink(const Stage& stage) { return !stage.gives(); }

/// Something that the option takes.
std::string example_of(const Option& option) {
  if (const auto& example = option.example(); !example.empty() && example.front() != '"')
    return example;
  if (!option.choices().empty()) return option.choices().front().first;
  const auto& type = option.type();
  if (type == "pixels or percent") return "50%";
  if (type == "duration") return "10s";
  if (type == "size in bytes") return "1MiB";
  if (type == "colour") return "white";
  if (type == "true or false") return "true";
  if (type == "number" || type == "whole number") {
    const auto limits = option.limits().value_or(std::pair(1.0, 1.0));
    return std::to_string(static_cast<long long>(std::ceil(limits.first)));
  }
  return "text";
}

/// The values that are written, by option; what `check()` asks for beyond the required ones too.
using Values = std::map<std::string, std::string>;

Values values_for(StageWithOptions& of) {
  Values values;
  const auto give = [&](Option& option, const std::string& value) {
    values[option.name()] = value;
    (void)option.assign(Value::scalar(value));
  };
  for (const auto& option : of.options.all()) {
    if (!option.is_required()) continue;
    auto& own = *of.options.find(option.name());
    if (is_source(*of.stage))
      give(own, "${in}");
    else if (is_sink(*of.stage) && option.type() == "path template")
      give(own, "${out}/{dir}/{stem}.{ext}");
    else
      give(own, example_of(option));
  }
  for (const auto& complaint : of.stage->check())
    for (const auto& option : of.options.all())
      if (!values.contains(option.name()) && complaint.starts_with(option.name())) {
        give(*of.options.find(option.name()), example_of(option));
        break;
      }
  return values;
}

/// A value that `${` has to stay in.
std::string written(const std::string& value) {
  return value.find("${") == value.npos ? yaml_scalar(value) : '"' + value + '"';
}

void comment(YamlText& yaml, const std::string& margin, const std::string& text) {
  std::string lines = wrapped(text, 0, columns - margin.size());
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    yaml.line(margin + "# " + lines.substr(0, end));
    lines.erase(0, end == lines.npos ? lines.size() : end + 1);
  }
}

void write_option(YamlText& yaml, const Option& option, const Values& values) {
  const std::string margin(6, ' ');
  auto about = option.summary();
  if (option.is_required()) about += " Required.";
  if (option.choices().empty()) about += " [" + option.allowed() + "]";
  comment(yaml, margin, about);
  std::size_t width = 0;
  for (const auto& [name, summary] : option.choices()) width = std::max(width, name.size());
  for (const auto& [name, summary] : option.choices())
    yaml.line(margin + "#   " + (summary.empty() ? name : left(name, width) + "  " + summary));
  if (const auto value = values.find(option.name()); value != values.end())
    return yaml.line(margin + option.name() + ": " + written(value->second));
  const auto& usual = option.default_text();
  yaml.line(margin + "# " + option.name() + ":" +
            (usual.empty() ? "" : " " + (usual.starts_with('[') ? usual : yaml_scalar(usual))));
}

void write_stage(YamlText& yaml, const std::string& name) {
  auto stage = made(name);
  yaml.line("");
  comment(yaml, "  ", Catalogue::instance().find(name)->summary);
  if (stage.options.all().empty()) return yaml.line("  - " + name);
  yaml.line("  - " + name + ":");
  const auto values = values_for(stage);
  for (const auto& option : stage.options.all()) write_option(yaml, option, values);
}

void check(const YamlText& yaml) {
  const auto loaded = load_pipeline(yaml.text(), "new");
  for (const auto& diagnostic : loaded.diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::error)
      throw Error(ErrorKind::usage,
                  diagnostic.message + (diagnostic.hint.empty() ? "" : "; " + diagnostic.hint));
}

}  // namespace

std::string pipeline_skeleton(std::vector<std::string> stages) {
  for (const auto& name : stages) (void)made(name);
  if (!is_source(*made(stages.front()).stage)) stages.insert(stages.begin(), "files");
  if (!is_sink(*made(stages.back()).stage)) stages.push_back("write");
  YamlText yaml;
  yaml.line(
      "# A pipeline to fill in. What is behind a # is what happens without it; take the # away to");
  yaml.line(
      "# change it. `millrace check` tells what is wrong, `millrace plan` what would be done.");
  yaml.line("version: 1");
  yaml.line("");
  yaml.line("# Values to change from outside with --set NAME=VALUE; used below as ${NAME}.");
  yaml.line("vars:");
  yaml.line("  in: photos");
  yaml.line("  out: out");
  yaml.line("");
  yaml.line("stages:");
  for (const auto& name : stages) write_stage(yaml, name);
  check(yaml);
  return yaml.text();
}

}  // namespace millrace::cli
