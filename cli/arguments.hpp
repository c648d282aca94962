// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::cli {

/// One thing that a verb takes from the command line, declared once: reading it, `--help`,
/// completion and the manual page are made of it.
class Argument {
 public:
  enum class Kind { flag, value, list };
  /// What a shell can complete its value with.
  enum class Completion { nothing, file, folder, stage, pipeline, code };

  Argument& required();
  Argument& group(std::string title);                 ///< The heading that help puts it under.
  Argument& choices(std::vector<std::string> names);  ///< Anything else is refused.
  Argument& completes(Completion completion);
  Argument& seldom();  ///< Told by --help-all; --help has its name alone.

  /// "--quiet,-q", or "FILE" for a word without a name in front.
  const std::string& names() const { return names_; }
  std::string longest_name() const;  ///< "--quiet", "FILE".
  bool is_positional() const { return !names_.starts_with('-'); }
  Kind kind() const { return kind_; }
  const std::string& value() const { return value_; }  ///< Stands for it in help; "" of a flag.
  const std::string& summary() const { return summary_; }
  const std::string& group() const { return group_; }
  const std::vector<std::string>& choices() const { return choices_; }
  bool is_required() const { return required_; }
  bool is_seldom() const { return seldom_; }
  Completion completion() const { return completion_; }

  /// Hands over what was typed: one value, several of a list, none of a flag. Throws Error (usage).
  void take(const std::vector<std::string>& values) const;

 private:
  friend class Arguments;

  std::string names_, value_, summary_, group_;
  std::vector<std::string> choices_;
  Kind kind_ = Kind::flag;
  bool required_ = false, seldom_ = false;
  Completion completion_ = Completion::nothing;
  std::function<void(const std::vector<std::string>&)> take_;
};

/// What a verb takes; bound to the verb's members and living no longer than they do.
class Arguments {
 public:
  Argument& flag(std::string names, bool& to, std::string summary);
  /// `value`: what stands for it in help, "N", "FOLDER".
  Argument& option(std::string names, std::string& to, std::string value, std::string summary);
  Argument& option(std::string names, std::optional<std::string>& to, std::string value,
                   std::string summary);
  /// One that may be given again; each time adds a value.
  Argument& option(std::string names, std::vector<std::string>& to, std::string value,
                   std::string summary);
  /// A word without a name in front, or as many as there are. They are taken in the order of the
  /// declarations; only the last may be a list.
  Argument& positional(std::string name, std::string& to, std::string summary);
  Argument& positional(std::string name, std::vector<std::string>& to, std::string summary);

  /// One that another verb declares, which it still is bound to.
  Argument& add(const Argument& other) { return arguments_.emplace_back(other); }

  const std::deque<Argument>& all() const { return arguments_; }

 private:
  using Take = std::function<void(const std::vector<std::string>&)>;
  Argument& add(Argument::Kind kind, std::string names, std::string value, std::string summary,
                Take take);

  std::deque<Argument> arguments_;  // a deque: add() hands out references
};

}  // namespace millrace::cli
