// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/help.hpp"
#include "cli/load.hpp"
#include "cli/verb.hpp"
#include "millrace/error.hpp"
#include "millrace/nearest.hpp"
#include "millrace/version.hpp"

namespace millrace::cli {
namespace {

/// Did you mean the nearest one, or all of them.
std::string instead_of(const std::string& word, const std::vector<std::string>& known,
                       const std::string& all) {
  const auto meant = did_you_mean(word, known);
  return meant.empty() ? all + joined(known) : meant;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const auto* const verb : Verbs::instance().all()) names.push_back(verb->name);
  return names;
}

/// The words behind a verb, handed to its arguments. CLI11 takes them apart; what they mean is
/// checked here, in the verb's terms.
class Reader {
 public:
  Reader(const Verbs::Entry& verb, const Arguments& arguments) : app_("", "millrace " + verb.name) {
    app_.set_help_flag();
    app_.add_flag("-h,--help", help_);
    app_.add_flag("--help-all", help_all_);
    app_.add_flag("--no-plugins", no_plugins_);
    for (const auto& argument : arguments.all()) declare(argument);
  }

  void read(std::vector<std::string> words) {
    std::ranges::reverse(words);  // as CLI11 takes them
    app_.allow_extras();
    try {
      app_.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
      throw Error(ErrorKind::usage, error.what());
    }
    if (wants_help()) return;
    auto extras = app_.remaining();
    std::erase(extras, "--");  // which is left over where it did its work
    if (!extras.empty())
      throw Error(ErrorKind::usage,
                  "it has no use for '" + extras.front() + "'; " +
                      instead_of(extras.front(), option_names(), "its options are "));
    for (const auto& bound : bound_)
      if (bound->word_option && bound->word_option->count() > 0) bound->values = {bound->word};
    for (const auto& bound : bound_)
      if (bound->argument.is_required() && !bound->is_given())
        throw Error(ErrorKind::usage, bound->argument.longest_name() + " is required");
    for (const auto& bound : bound_)
      if (bound->is_given()) bound->argument.take(bound->values);
  }

  bool wants_help() const { return help_ || help_all_; }
  bool wants_all_help() const { return help_all_; }

 private:
  struct Bound {
    explicit Bound(const Argument& to) : argument(to) {}
    bool is_given() const { return flag || !values.empty(); }
    const Argument& argument;
    std::string word;
    CLI::Option* word_option = nullptr;  // a list would take the words behind it too
    std::vector<std::string> values;
    bool flag = false;
  };

  void declare(const Argument& argument) {
    auto& bound = *bound_.emplace_back(std::make_unique<Bound>(argument));
    if (argument.kind() == Argument::Kind::flag) {
      app_.add_flag(argument.names(), bound.flag);
      return;
    }
    if (argument.is_positional() && argument.kind() != Argument::Kind::list) {
      bound.word_option = app_.add_option(argument.names(), bound.word);
      return;
    }
    auto* const option = app_.add_option(argument.names(), bound.values);
    if (argument.is_positional())
      option->expected(-1);
    else
      option->expected(1)
          ->allow_extra_args(false)
          ->take_all();  // Argument::take() says it better where it is too many
  }

  std::vector<std::string> option_names() const {
    std::vector<std::string> names;
    for (const auto* const option : app_.get_options())
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    return names;
  }

  CLI::App app_;
  std::vector<std::unique_ptr<Bound>> bound_;
  bool help_ = false, help_all_ = false, no_plugins_ = false;
};

int run_verb(const Verbs::Entry& entry, std::vector<std::string> words) {
  // What some verbs take depends on the plugins, so it is known before the rest is read.
  const auto options_end = std::ranges::find(words, "--");
  if (std::find(words.begin(), options_end, "--no-plugins") != options_end) leave_out_plugins();
  const auto verb = entry.make();
  Arguments arguments;
  verb->arguments(arguments);
  Reader reader(entry, arguments);
  try {
    reader.read(std::move(words));
  } catch (const Error& error) {
    const auto name = "millrace " + entry.name;
    say_lines(name + ": " + error.what());
    say("Try '" + name + " --help'.");
    return Exit::wrong_usage;
  }
  if (reader.wants_help()) {
    std::cout << help_text(entry, arguments, reader.wants_all_help());
    return Exit::all_done;
  }
  return verb->run();
}

int refuse(const std::string& word) {
  const auto names = verb_names();
  say(word.empty()            ? "millrace: a verb is missing: " + joined(names)
      : word.starts_with('-') ? "millrace: it has no use for '" + word + "' in front of a verb"
                              : "millrace: there is no verb '" + word + "'; " +
                                    instead_of(word, names, "the verbs are "));
  say("Try 'millrace --help'.");
  return Exit::wrong_usage;
}

}  // namespace

int run_command_line(std::vector<std::string> words) {
  if (words.empty()) {
    std::cerr << help_text();
    return Exit::wrong_usage;
  }
  if (words.front() == "--no-plugins") {
    leave_out_plugins();
    words.erase(words.begin());
  }
  const auto first = words.empty() ? std::string() : words.front();
  if (first == "--help" || first == "-h" || first == "help") {
    std::cout << help_text();
    return Exit::all_done;
  }
  if (first == "--version") {
    std::cout << "millrace " << version() << "\n";
    return Exit::all_done;
  }
  const auto* const verb = Verbs::instance().find(words);
  if (!verb) return refuse(first);
  const auto taken = std::ranges::count(verb->name, ' ') + 1;
  return run_verb(*verb, {words.begin() + taken, words.end()});
}

}  // namespace millrace::cli
