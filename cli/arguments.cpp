// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/arguments.hpp"

#include <algorithm>
#include <utility>

#include "cli/console.hpp"
#include "millrace/error.hpp"
#include "millrace/nearest.hpp"

namespace millrace::cli {
Argument& Argument::required() {
  required_ = true;
  return *this;
}

Argument& Argument::group(std::string title) {
  group_ = std::move(title);
  return *this;
}

Argument& Argument::choices(std::vector<std::string> names) {
  choices_ = std::move(names);
  return *this;
}

Argument& Argument::completes(Completion completion) {
  completion_ = completion;
  return *this;
}

Argument& Argument::seldom() {
  seldom_ = true;
  return *this;
}

std::string Argument::longest_name() const {
  std::string longest, name;
  for (const char c : names_ + ",") {
    if (c != ',') {
      name += c;
      continue;
    }
    if (name.size() > longest.size()) longest = name;
    name.clear();
  }
  return longest;
}

void Argument::take(const std::vector<std::string>& values) const {
  const auto name = longest_name();
  if (kind_ == Kind::value && values.size() > 1)
    throw Error(ErrorKind::usage,
                name + " is given twice: '" + values[0] + "' and '" + values[1] + "'");
  for (const auto& value : values) {
    if (value.empty() && completion_ != Completion::nothing)
      throw Error(ErrorKind::usage,
                  name + ": the word is empty; is a variable of the shell not set?");
    if (choices_.empty() || std::ranges::count(choices_, value) > 0) continue;
    const auto meant = did_you_mean(value, choices_);
    throw Error(ErrorKind::usage, name + ": there is no '" + value + "'; " +
                                      (meant.empty() ? "allowed: " + joined(choices_) : meant));
  }
  take_(values);
}

Argument& Arguments::flag(std::string names, bool& to, std::string summary) {
  return add(Argument::Kind::flag, std::move(names), "", std::move(summary),
             [&to](const auto&) { to = true; });
}

Argument& Arguments::option(std::string names, std::string& to, std::string value,
                            std::string summary) {
  return add(Argument::Kind::value, std::move(names), std::move(value), std::move(summary),
             [&to](const auto& values) { to = values.front(); });
}

Argument& Arguments::option(std::string names, std::optional<std::string>& to, std::string value,
                            std::string summary) {
  return add(Argument::Kind::value, std::move(names), std::move(value), std::move(summary),
             [&to](const auto& values) { to = values.front(); });
}

Argument& Arguments::option(std::string names, std::vector<std::string>& to, std::string value,
                            std::string summary) {
  return add(Argument::Kind::list, std::move(names), std::move(value), std::move(summary),
             [&to](const auto& values) { to = values; });
}

Argument& Arguments::positional(std::string name, std::string& to, std::string summary) {
  const auto value = name;
  return add(Argument::Kind::value, std::move(name), value, std::move(summary),
             [&to](const auto& values) { to = values.front(); });
}

Argument& Arguments::positional(std::string name, std::vector<std::string>& to,
                                std::string summary) {
  const auto value = name;
  return add(Argument::Kind::list, std::move(name), value, std::move(summary),
             [&to](const auto& values) { to = values; });
}

Argument& Arguments::add(Argument::Kind kind, std::string names, std::string value,
                         std::string summary, Take take) {
  Argument& argument = arguments_.emplace_back();
  argument.kind_ = kind;
  argument.names_ = std::move(names);
  argument.value_ = std::move(value);
  argument.summary_ = std::move(summary);
  argument.take_ = std::move(take);
  return argument;
}

}  // namespace millrace::cli
