// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/verbs.hpp"
#include "millrace/error.hpp"
#include "millrace/nearest.hpp"
#include "millrace/version.hpp"

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
  return error.what();
}

int run_program(int argc, char** argv) {
  CLI::App program("Runs image and document pipelines that a YAML file describes.", "millrace");
  program.set_version_flag("--version", "millrace " + std::string(version()));
  program.require_subcommand(1);
  int status = Exit::all_done;
  add_run(program, status);
  add_check(program, status);
  add_plan(program, status);
  add_stages(program, status);
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
  return status;
}

}  // namespace
}  // namespace millrace::cli

int main(int argc, char** argv) {
  using namespace millrace;
  // A reader that left and a file-size limit become errors of the one write that meets them.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return cli::run_program(argc, argv);
  } catch (const Error& error) {
    cli::say_lines("millrace: " + std::string(error.what()));
    return cli::Exit::wrong_usage;
  } catch (const std::exception& error) {
    cli::say_lines("millrace: internal error: " + std::string(error.what()));
    return cli::Exit::forced;
  }
}
