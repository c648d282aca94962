// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/help.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/console.hpp"

namespace millrace::cli {
namespace {

constexpr std::size_t widest_name = 26;  // longer ones have their summary on the next line

using Rows = std::vector<std::pair<std::string, std::string>>;

/// Two columns under a heading.
std::string section(const std::string& title, const Rows& rows) {
  if (rows.empty()) return {};
  std::size_t width = 0;
  for (const auto& [name, summary] : rows)
    if (name.size() <= widest_name) width = std::max(width, name.size());
  std::string text = "\n" + title + "\n";
  for (const auto& [name, summary] : rows) {
    const auto lines = wrapped(summary, width + 4);
    text += "  " + left(name, width);
    if (name.size() > width)
      text += "\n" + lines;
    else
      text += lines.empty() ? "\n" : lines.substr(width + 2);
  }
  return text;
}

std::string title_of(Verbs::Group group) {
  switch (group) {
    case Verbs::Group::work:
      return "Work";
    case Verbs::Group::pipelines:
      return "Write pipelines";
    case Verbs::Group::program:
      return "The program";
    case Verbs::Group::hidden:
      break;
  }
  return {};
}

/// The headings, each once, in the order of their first argument.
std::vector<std::string> groups_of(const Arguments& arguments) {
  std::vector<std::string> groups;
  for (const auto& argument : arguments.all())
    if (std::ranges::count(groups, argument.group()) == 0) groups.push_back(argument.group());
  return groups;
}

std::string indented(const std::string& lines) {
  std::string text = "  ";
  for (const char c : lines) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return text + "\n";
}

}  // namespace

std::string shown(const Argument& argument) {
  if (argument.is_positional()) return argument.names();
  const auto longest = argument.longest_name();
  auto names = argument.names();
  if (const auto comma = names.find(','); comma != names.npos) {
    const auto other =
        names.starts_with(longest) ? names.substr(comma + 1) : names.substr(0, comma);
    names = other + ", " + longest;
  }
  return argument.value().empty() ? names : names + " " + argument.value();
}

std::string summary_of(const Argument& argument) {
  std::string choices;
  for (const auto& choice : argument.choices()) choices += (choices.empty() ? "" : " | ") + choice;
  return argument.summary() + (choices.empty() ? "" : ": " + choices);
}

std::string help_text() {
  using Group = Verbs::Group;
  std::string text =
      "Runs image and document pipelines that a YAML file describes.\n\n"
      "  millrace VERB [arguments]\n";
  for (const auto group : {Group::work, Group::pipelines, Group::program}) {
    Rows rows;
    for (const auto* const verb : Verbs::instance().all())
      if (verb->group == group) rows.emplace_back(verb->name, verb->summary);
    text += section(title_of(group), rows);
  }
  return text +
         section("With any verb", {{"-h, --help", "Say what the verb takes, with an example"},
                                   {"--no-plugins", "Leave out what plugins have"},
                                   {"--version", "Say which one this is"}});
}

std::string usage_of(const Verbs::Entry& verb, const Arguments& arguments) {
  std::string text = "millrace " + verb.name;
  for (const auto& argument : arguments.all()) {
    if (!argument.is_positional() && !argument.is_required()) continue;
    auto part = argument.is_positional() ? argument.names() : shown(argument);
    if (argument.kind() == Argument::Kind::list) part += "...";
    text += argument.is_required() ? " " + part : " [" + part + "]";
  }
  const auto is_option = [](const Argument& one) {
    return !one.is_positional() && !one.is_required();
  };
  return text + (std::ranges::any_of(arguments.all(), is_option) ? " [options]" : "");
}

std::string help_text(const Verbs::Entry& verb, const Arguments& arguments, bool all) {
  std::string text = verb.summary + ".\n\n" + wrapped(usage_of(verb, arguments), 2);
  std::string left_out;
  for (const auto& argument : arguments.all())
    if (argument.is_seldom() && !all) left_out += argument.longest_name() + " ";
  for (const auto& group : groups_of(arguments)) {
    Rows rows;
    for (const auto& argument : arguments.all())
      if (argument.group() == group && (all || !argument.is_seldom()))
        rows.emplace_back(shown(argument), summary_of(argument));
    text += section(group.empty() ? "Arguments" : group, rows);
  }
  if (!left_out.empty()) text += "\nSeldom used, told by --help-all\n" + wrapped(left_out, 2);
  return text + "\nFor example\n" + indented(verb.example);
}

}  // namespace millrace::cli
