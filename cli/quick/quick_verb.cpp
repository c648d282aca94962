// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/quick/quick_verb.hpp"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/quick/paths.hpp"
#include "cli/ready.hpp"
#include "millrace/error.hpp"
#include "millrace/pipeline.hpp"
#include "stages/codecs/codec.hpp"
#include "stages/codecs/foreign.hpp"

namespace millrace::cli {
namespace {

/// Of what is in a folder, the pictures. Those that a plugin may read, and those that nothing here
/// reads, are among them: they fail by name, where leaving them out would look like success.
std::string picture_pattern() {
  std::string endings;
  const auto add = [&](std::string_view ending) {
    if (!ending.empty()) endings += (endings.empty() ? "" : ",") + std::string(ending);
  };
  for (const auto* const codec : codecs::all()) std::ranges::for_each(codec->extensions, add);
  std::ranges::for_each(codecs::foreign_extensions(), add);
  return "*.{" + endings + "}";
}

/// How much of "path: there is no field ..." the option is.
std::size_t key_of(const std::string& message) {
  const auto end = message.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  return end != message.npos && message[end] == ':' ? end : 0;
}

/// In a pipeline "use ${env:HOME}" is right; what is typed the shell can fill in.
std::string for_a_shell(const std::string& hint) {
  constexpr std::string_view begin = "use ${env:";
  if (!hint.starts_with(begin) || !hint.ends_with('}')) return hint;
  const auto name = hint.substr(begin.size(), hint.size() - begin.size() - 1);
  return "let the shell fill it in: \"$" + name + "/...\"";
}

void add_of_run(Arguments& arguments, const Argument& of_run) {
  auto& argument = arguments.add(of_run).group("As with run");
  const auto name = argument.longest_name();
  if (name != "--quiet" && name != "--dry-run") argument.seldom();
}

}  // namespace

void QuickVerb::arguments(Arguments& arguments) {
  find_plugins();
  arguments.positional("IN", in_, "Files, folders, and patterns in quotes")
      .required()
      .completes(Argument::Completion::file);
  arguments
      .option("--output,-o", out_, "OUT",
              "A folder; for one input a file; or a template such as out/{dir}/{stem}.jpg")
      .required()
      .completes(Argument::Completion::file);
  arguments.flag("--force,-f", force_, "Replace what is there: --if-exists overwrite");
  flags_.declare(arguments, {"write", "", {"path", "fsync"}, {}, {"if_exists"}});
  arguments.flag("--print-config", print_config_,
                 "Print the pipeline that this stands for, and end");
  flags_.declare(
      arguments,
      {"files", "Of the folders", {"path", "hidden", "order", "max_file_size"}, {}, {"match"}});
  declare(arguments);
  run_ = Verbs::instance().find({"run"})->make();
  run_->arguments(run_arguments_);
  for (const auto& argument : run_arguments_.all())
    if (!argument.is_positional() && argument.longest_name() != "--set")
      add_of_run(arguments, argument);
}

int QuickVerb::run() {
  if (const auto wrong = complaints(); !wrong.empty()) return refuse(wrong);
  YamlText yaml;
  try {
    yaml = pipeline();
  } catch (const Error& error) {
    return refuse({error.what()});
  }
  if (const auto wrong = complaints(yaml); !wrong.empty()) return refuse(wrong);
  if (print_config_) {
    std::cout << yaml.text();
    return Exit::all_done;
  }
  make_ready({name_, yaml.text(),
              [this](std::string said) { return flags_.with_flags(std::move(said)); }});
  for (const auto& argument : run_arguments_.all())
    if (argument.is_positional()) argument.take({name_});
  return run_->run();
}

std::vector<std::string> QuickVerb::complaints() {
  auto complaints = input_complaints(in_);
  for (auto& complaint : flags_.complaints()) complaints.push_back(std::move(complaint));
  if (force_ && !flags_.given("write", "if_exists").empty())
    complaints.push_back("--force and --if-exists: one of them is enough");
  return complaints;
}

/// What only the whole says, such as a format that contradicts the output's ending.
std::vector<std::string> QuickVerb::complaints(const YamlText& yaml) const {
  std::vector<std::string> complaints;
  for (const auto& diagnostic : load_pipeline(yaml.text(), name_).diagnostics) {
    if (diagnostic.severity != Diagnostic::Severity::error) continue;
    const auto flag = yaml.origin(diagnostic.where.line);
    auto message = flags_.in_flags(diagnostic.message);
    if (!flag.empty() && !message.starts_with('-')) {
      const auto key = key_of(message);
      message = flag + (key == 0 ? ": " : "") + message.substr(key);
    }
    const auto hint = for_a_shell(diagnostic.hint);
    complaints.push_back(message + (hint.empty() ? "" : "; " + hint));
  }
  return complaints;
}

YamlText QuickVerb::pipeline() const {
  YamlText yaml;
  yaml.line("# Written by " + name_ + ".");
  yaml.line("version: 1");
  yaml.line("stages:");
  yaml.line("  - files:");
  yaml.setting(6, "path", in_);
  if (flags_.given("files", "match").empty() && !are_files(in_))
    yaml.setting(6, "match", {picture_pattern()});
  if (flags_.given("files", "exclude").empty())
    if (const auto outputs = outputs_within(in_, out_); !outputs.empty())
      yaml.setting(6, "exclude", outputs, "-o");
  flags_.write(yaml, 6, "files");
  write_stages(yaml);
  return yaml;
}

void QuickVerb::write_sink(YamlText& yaml, const std::string& path,
                           const std::string& converter) const {
  yaml.line("  - write:");
  yaml.setting(6, "path", {path}, "-o");
  flags_.write(yaml, 6, converter);
  if (force_) yaml.setting(6, "if_exists", {"overwrite"}, "--force");
  flags_.write(yaml, 6, "write");
}

int QuickVerb::refuse(const std::vector<std::string>& complaints) const {
  for (const auto& complaint : complaints) say_lines(name_ + ": " + complaint);
  say("Try '" + name_ + " --help'.");
  return Exit::wrong_usage;
}

}  // namespace millrace::cli
