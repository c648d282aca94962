// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/verbs.hpp"
#include "millrace/error.hpp"
#include "millrace/nearest.hpp"
#include "millrace/version.hpp"
#include "plugin/library.hpp"

namespace millrace::cli {
namespace {

std::vector<std::string> verbs_of(const CLI::App& program) {
  std::vector<std::string> names;
  for (const auto* const verb : program.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* const option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// What is wrong with the command line, with the nearest right word.
std::string complaint(const CLI::App& program, const CLI::ParseError& error) {
  const auto chosen = program.get_subcommands();
  const CLI::App& app = chosen.empty() ? program : *chosen.front();
  const auto extras = program.remaining(true);
  // An unknown verb is reported as a missing one, with the word among what is left over.
  if (!extras.empty()) {
    const auto& word = extras.front();
    const bool is_verb = chosen.empty() && !word.starts_with('-');
    const auto known = is_verb ? verbs_of(program) : options_of(app);
    const auto meant = did_you_mean(word, known);
    return std::string(is_verb ? "there is no verb '" : "it has no use for '") + word + "'; " +
           (meant.empty()
                ? std::string(is_verb ? "the verbs are " : "its options are ") + joined(known)
                : meant);
  }
  if (chosen.empty()) return "a verb is missing: " + joined(verbs_of(program));
  const bool lacks_kind = app.get_require_subcommand_min() > 0 && app.get_subcommands().empty();
  return lacks_kind ? "say what to begin: " + joined(verbs_of(app)) : error.what();
}

void add_pipeline(CLI::App& verb, PipelineArguments& arguments) {
  verb.add_option("FILE", arguments.file, "The pipeline's YAML file; - for standard input")
      ->required();
}

void add_sets(CLI::App& verb, std::vector<std::string>& sets) {
  verb.add_option("--set", sets, "NAME=VALUE: a value for one of its vars; may be given again")
      ->type_name("")
      ->expected(1)
      ->take_all();
}

/// What was typed, and the function that it asks for.
struct CommandLine {
  explicit CommandLine(CLI::App& program) {
    program.set_version_flag("--version", "millrace " + std::string(version()));
    program.require_subcommand(1);
    program.add_flag("--no-plugins", no_plugins, "Leave out what plugins have, with any verb");

    auto* verb = program.add_subcommand("run", "Run a pipeline");
    add_pipeline(*verb, run.pipeline);
    add_sets(*verb, run.pipeline.sets);
    verb->add_flag("--quiet,-q", run.quiet, "Say nothing but what failed");
    verb->add_flag("--no-fuse", run.no_fuse,
                   "Give every stage its own workers, to see what sharing them gains");
    does(*verb, [this] { return run_pipeline(run); });

    verb = program.add_subcommand("check", "Tell every mistake in pipeline files");
    verb->add_option("FILE", check.files, "Pipeline files; - for standard input")->required();
    add_sets(*verb, check.sets);
    does(*verb, [this] { return check_pipelines(check); });

    verb = program.add_subcommand("plan", "Show what a run would do, without running it");
    add_pipeline(*verb, plan);
    add_sets(*verb, plan.sets);
    does(*verb, [this] { return print_plan(plan); });

    verb = program.add_subcommand("stages", "List the stages, or show one");
    verb->add_option("NAME", stage, "A stage, to see its options");
    does(*verb, [this] { return print_stages(stage); });

    add_plugins(program);
    add_new(program);
  }

  void add_plugins(CLI::App& program) {
    auto* verb = program.add_subcommand("plugins", "List the plugins, or check one");
    auto* one = verb->add_subcommand("check", "Try in a process of its own what a plugin does");
    one->add_option("FILE", name, "The plugin's library")->required();
    verb->callback(
        [this, one] { status = one->parsed() ? check_plugin_file(name) : print_plugins(); });
  }

  void add_new(CLI::App& program) {
    auto* verb = program.add_subcommand("new", "Write something to begin with");
    verb->require_subcommand(1);
    auto* kind = verb->add_subcommand("plugin", "A plugin with one stage, its build and its test");
    kind->add_option("NAME", name, "Of the folder and the stage")->required();
    kind->add_flag("--c", in_c, "In C, over the interface that stays the same");
    kind->callback([this] { status = write_new_plugin(name, in_c); });
  }

  /// What a verb does that finds plugins unless told otherwise.
  void does(CLI::App& verb, std::function<int()> action) {
    verb.add_flag("--no-plugins", no_plugins, "Leave out what plugins have");
    verb.callback([this, action = std::move(action)] {
      if (no_plugins) leave_out_plugins();
      status = action();
    });
  }

  RunArguments run;
  CheckArguments check;
  PipelineArguments plan;
  std::string stage, name;
  bool in_c = false;
  bool no_plugins = false;
  int status = Exit::all_done;
};

int run_program(int argc, char** argv) {
  CLI::App program("Runs image and document pipelines that a YAML file describes.", "millrace");
  CommandLine line(program);
  if (argc < 2) {
    std::cerr << program.help();
    return Exit::wrong_usage;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    const auto chosen = program.get_subcommands();
    const auto name = "millrace" + (chosen.empty() ? "" : " " + chosen.front()->get_name());
    say(name + ": " + complaint(program, error));
    say("Try '" + name + " --help'.");
    return Exit::wrong_usage;
  }
  return line.status;
}

/// What the verb has said must have arrived: a full disk is no success.
int after_output(int status) {
  if (std::cout.flush()) return status;
  say("millrace: the output could not be written");
  return status == Exit::all_done ? Exit::some_failed : status;
}

bool has_ended = false;

/// A stage that calls exit() must not look like success.
void tell_untimely_end() {
  if (has_ended) return;
  say("millrace: a stage of a plugin has ended the program by exit(); with 'isolate: process' "
      "beside it, only its item fails");
  std::_Exit(Exit::forced);
}

/// All is said and done: what a plugin does in its destructors can neither change the status nor
/// hold it up.
int end(int status) {
  has_ended = true;
  if (!any_library_opened()) return status;
  std::fflush(nullptr);
  std::_Exit(status);
}

int run_guarded(int argc, char** argv) {
  try {
    return after_output(run_program(argc, argv));
  } catch (const Error& error) {
    say_lines("millrace: " + std::string(error.what()));
    return error.kind() == ErrorKind::resource ? Exit::some_failed : Exit::wrong_usage;
  } catch (const std::exception& error) {
    say_lines("millrace: internal error: " + std::string(error.what()));
    return Exit::some_failed;
  }
}

}  // namespace
}  // namespace millrace::cli

int main(int argc, char** argv) {
  using namespace millrace::cli;
  // A reader that left and a file-size limit become errors of the one write that meets them.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::atexit(tell_untimely_end);
  return end(run_guarded(argc, argv));
}
