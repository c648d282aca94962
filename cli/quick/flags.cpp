// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/quick/flags.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "config/repair.hpp"
#include "millrace/catalogue.hpp"
#include "millrace/nearest.hpp"

namespace millrace::cli {
namespace {

std::string dashed(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

/// What stands for the value in help: the last word of "whole number", "list of texts".
std::string placeholder(const Option& option) {
  if (!option.choices().empty()) return "NAME";
  auto word = option.type().substr(option.type().rfind(' ') + 1);
  if (option.type() == "pixels or percent") word = "length";
  if (option.type() == "list of texts") word = "text";
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::toupper(c); });
  return word;
}

/// The beginning of its summary, what is allowed, and what it is otherwise.
std::string summary_of(const Option& option) {
  auto text = option.summary();
  for (const auto* const end : {". ", "; "})
    if (const auto at = text.find(end); at != text.npos) text.resize(at);
  if (text.ends_with('.')) text.pop_back();
  std::string notes;
  const bool is_length = option.type() == "pixels or percent";  // any that makes sense
  if (option.limits() && !is_length) notes = option.allowed();
  const auto& usual = option.default_text();
  if (!usual.empty() && usual != "[]" && option.type() != "true or false")
    notes += (notes.empty() ? "" : "; ") + usual;
  return notes.empty() ? text : text + " (" + notes + ")";
}

Value value_of(const Option& option, const std::vector<std::string>& values) {
  if (option.type() != "list of texts") return Value::scalar(values.front());
  Value list;
  list.kind = Value::Kind::list;
  for (const auto& value : values) list.items.push_back(Value::scalar(value));
  return list;
}

/// With what was probably meant, where that is known.
std::optional<std::string> complaint_of(Option& option, const Value& value) {
  auto complaint = option.assign(value);
  if (!complaint || complaint->find("did you mean") != complaint->npos) return complaint;
  if (const auto meant = repair(option, value, *complaint).text)
    *complaint += "; did you mean '" + *meant + "'?";
  return complaint;
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' ||
         c == '/';  // in a path it is no option
}

/// Each whole word `from` as `to`.
std::string with_word(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at)) {
    const auto end = at + from.size();
    const bool is_whole = (at == 0 || !is_part_of_name(text[at - 1])) &&
                          (end == text.size() || !is_part_of_name(text[end]));
    if (is_whole) text.replace(at, from.size(), to);
    at += is_whole ? to.size() : from.size();
  }
  return text;
}

}  // namespace

void Flags::declare(Arguments& arguments, const StageFlags& of) {
  const auto* const entry = Catalogue::instance().find(of.stage);
  if (!entry) return;
  auto& flagged = stages_.emplace_back();
  flagged.name = of.stage;
  try {
    flagged.stage = entry->make();
  } catch (const Error&) {  // its plugin cannot be opened, which is told when the stage is needed
    stages_.pop_back();
    return;
  }
  flagged.stage->options(flagged.options);
  for (const auto& option : flagged.options.all()) {
    if (std::ranges::count(of.without, option.name()) > 0) {
      flagged.lacks_a_required = flagged.lacks_a_required || option.is_required();
      continue;
    }
    const bool is_switch = option.type() == "true or false";
    const bool is_on = option.default_text() == "true";
    const auto renamed = of.names.find(option.name());
    const auto names = renamed != of.names.end()
                           ? renamed->second
                           : (is_switch && is_on ? "--no-" : "--") + dashed(option.name());
    auto& flag = flagged.flags.emplace_back();
    flag.option = option.name();
    flag.switches = is_on ? "false" : "true";
    const auto summary = (is_switch && is_on ? "Not: " : "") + summary_of(option);
    auto& argument = is_switch ? arguments.flag(names, flag.on, summary)
                               : arguments.option(names, flag.typed, placeholder(option), summary);
    std::vector<std::string> choices;
    for (const auto& choice : option.choices()) choices.push_back(choice.first);
    if (std::ranges::count(of.often, option.name()) == 0) argument.seldom();
    flag.name = argument.group(of.title).choices(std::move(choices)).longest_name();
  }
}

std::vector<std::string> Flags::complaints() {
  std::vector<std::string> complaints;
  for (auto& stage : stages_) {
    bool sound = any_given(stage.name) && !stage.lacks_a_required;
    for (const auto& flag : stage.flags) {
      const auto values = flag.values();
      if (values.empty()) continue;
      auto& option = *stage.options.find(flag.option);
      auto complaint = values.size() > 1 && option.type() != "list of texts"
                           ? "it is given twice: '" + values[0] + "' and '" + values[1] + "'"
                           : complaint_of(option, value_of(option, values));
      if (!complaint) continue;
      complaints.push_back(flag.name + ": " + *complaint);
      sound = false;
    }
    if (!sound) continue;
    for (auto complaint : stage.stage->check()) {
      for (const auto& flag : stage.flags) complaint = with_word(complaint, flag.option, flag.name);
      complaints.push_back(std::move(complaint));
    }
  }
  return complaints;
}

const Flags::Flagged* Flags::find(const std::string& stage) const {
  const auto found = std::ranges::find(stages_, stage, &Flagged::name);
  return found == stages_.end() ? nullptr : &*found;
}

bool Flags::any_given(const std::string& stage) const {
  const auto* const flagged = find(stage);
  return flagged && std::ranges::any_of(flagged->flags,
                                        [](const Flag& flag) { return !flag.values().empty(); });
}

std::vector<std::string> Flags::given(const std::string& stage, const std::string& option) const {
  if (const auto* const flagged = find(stage))
    for (const auto& flag : flagged->flags)
      if (flag.option == option) return flag.values();
  return {};
}

void Flags::write(YamlText& yaml, std::size_t indent, const std::string& stage) const {
  const auto* const flagged = find(stage);
  if (!flagged) return;
  for (const auto& flag : flagged->flags)
    if (const auto values = flag.values(); !values.empty())
      yaml.setting(indent, flag.option, values, flag.name);
}

std::string Flags::with_flags(std::string message) const {
  for (const auto& stage : stages_)
    for (const auto& flag : stage.flags)
      if (flag.option.find('_') != std::string::npos)
        message = with_word(std::move(message), flag.option, flag.name);
  return message;
}

std::string Flags::in_flags(const std::string& complaint) const {
  // "'encode', which is put in here: quality: ..."
  for (const auto& stage : stages_)
    for (const auto& flag : stage.flags) {
      const auto at = complaint.find(flag.option + ": ");
      const bool is_behind =
          at != complaint.npos && at >= 2 && complaint.compare(at - 2, 2, ": ") == 0;
      if (at == 0 || is_behind) return flag.name + complaint.substr(at + flag.option.size());
    }
  return complaint;
}

}  // namespace millrace::cli
