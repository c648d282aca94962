// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <map>
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

/// The words behind a verb, handed to its arguments. CLI11 finds the options in them; what they
/// mean is checked here, in the verb's terms.
class Reader {
 public:
  Reader(const Verbs::Entry& verb, const Arguments& arguments) : app_("", "millrace " + verb.name) {
    app_.set_help_flag();
    app_.add_flag("-h,--help", help_);
    app_.add_flag("--help-all", help_all_);
    app_.add_flag("--no-plugins", no_plugins_);
    for (const auto* const flag : app_.get_options()) name(*flag, nullptr);
    for (const auto& argument : arguments.all()) declare(argument);
  }

  void read(const std::vector<std::string>& typed) {
    auto options = parted(typed);
    std::ranges::reverse(options);  // as CLI11 takes them
    app_.allow_extras();
    try {
      app_.parse(std::move(options));
    } catch (const CLI::ParseError&) {  // "-qo" at the end: the rest is told by parted()
      throw Error(ErrorKind::usage, "'" + typed.back() + "' needs a value behind it");
    }
    if (wants_help()) return;
    if (const auto extras = app_.remaining(); !extras.empty())
      throw Error(ErrorKind::usage, of_no_use(extras.front()));
    place_words();
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
    std::vector<std::string> values;
    bool flag = false;
  };

  void declare(const Argument& argument) {
    auto& bound = *bound_.emplace_back(std::make_unique<Bound>(argument));
    if (argument.is_positional()) return;
    const bool is_flag = argument.kind() == Argument::Kind::flag;
    auto* const option = is_flag ? app_.add_flag(argument.names(), bound.flag)
                                 : app_.add_option(argument.names(), bound.values)->expected(1);
    if (!is_flag) option->take_all();  // Argument::take() says it better where it is too many
    option->allow_extra_args(false);   // which takes the words behind it, and "[a,b]" apart
    name(*option, &argument);
  }

  void name(const CLI::Option& option, const Argument* argument) {
    for (const auto& name : option.get_lnames()) named_["--" + name] = argument;
    for (const auto& name : option.get_snames()) named_["-" + name] = argument;
  }

  static bool takes_value(const Argument* argument) {
    return argument && argument->kind() != Argument::Kind::flag;
  }

  /// "-fo": whether the last of these letters is an option that takes the next word.
  bool waits(const std::string& letters) const {
    for (std::size_t i = 1; i < letters.size(); ++i) {
      const auto known = named_.find(std::string("-") + letters[i]);
      if (known == named_.end()) return false;
      if (takes_value(known->second)) return i + 1 == letters.size();
    }
    return false;
  }

  /// The options for CLI11, `--name=value` as two words: it would take the next word for a value
  /// that is empty. Where a value is missing or too much, that is told in the verb's terms. The
  /// words without a name go to words_.
  std::vector<std::string> parted(const std::vector<std::string>& typed) {
    std::vector<std::string> options;
    for (auto word = typed.begin(); word != typed.end(); ++word) {
      if (*word == "--") return words_.insert(words_.end(), word + 1, typed.end()), options;
      if (!word->starts_with('-') || *word == "-") {
        words_.push_back(*word);
        continue;
      }
      const auto equals = word->find('=');
      const bool has_value = equals != word->npos && (word->starts_with("--") || equals == 2);
      const auto known = named_.find(has_value ? word->substr(0, equals) : *word);
      if (known == named_.end()) {
        options.push_back(*word);
        if (waits(*word) && word + 1 != typed.end()) options.push_back(*++word);
        continue;
      }
      const auto& [name, argument] = *known;
      const bool is_flag = !takes_value(argument);
      if (has_value && is_flag)
        throw Error(ErrorKind::usage,
                    name + " takes no value, so '" + word->substr(equals + 1) + "' says nothing");
      if (!has_value && !is_flag && word + 1 == typed.end())
        throw Error(
            ErrorKind::usage,
            name + " needs a value: " + name + " " + argument->value() +
                (argument->choices().empty() ? "" : ", which is " + joined(argument->choices())));
      options.push_back(name);
      if (has_value)
        options.push_back(word->substr(equals + 1));
      else if (!is_flag)
        options.push_back(*++word);
    }
    return options;
  }

  /// In the order of the declarations.
  void place_words() {
    auto word = words_.begin();
    for (const auto& bound : bound_) {
      if (!bound->argument.is_positional() || word == words_.end()) continue;
      const auto end = bound->argument.kind() == Argument::Kind::list ? words_.end() : word + 1;
      bound->values.assign(word, end);
      word = end;
    }
    if (word != words_.end())
      throw Error(ErrorKind::usage,
                  "it has no use for the word '" + *word + "', which is one too many");
  }

  std::string of_no_use(const std::string& word) const {
    std::vector<std::string> names;
    for (const auto* const option : app_.get_options())
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    return "it has no use for '" + word + "'; " + instead_of(word, names, "its options are ");
  }

  CLI::App app_;
  std::vector<std::unique_ptr<Bound>> bound_;
  std::vector<std::string> words_;                // without a name
  std::map<std::string, const Argument*> named_;  // of a flag that every verb has, null
  bool help_ = false, help_all_ = false, no_plugins_ = false;
};

int run_verb(const Verbs::Entry& entry, const std::vector<std::string>& words) {
  // What some verbs take depends on the plugins, so it is known before the rest is read.
  const auto options_end = std::ranges::find(words, "--");
  if (std::find(words.begin(), options_end, "--no-plugins") != options_end) leave_out_plugins();
  const auto verb = entry.make();
  Arguments arguments;
  verb->arguments(arguments);
  Reader reader(entry, arguments);
  try {
    reader.read(words);
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
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    if (const auto* const verb = Verbs::instance().find(rest)) return run_verb(*verb, {"--help"});
    if (!rest.empty()) return refuse(rest.front());
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
