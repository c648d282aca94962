// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/quick/yaml_text.hpp"
#include "millrace/stage.hpp"

namespace millrace::cli {

/// Which options of a stage become flags, and under which heading.
struct StageFlags {
  std::string stage;
  std::string title;
  std::vector<std::string> without;          ///< Options that the verb sets itself.
  std::map<std::string, std::string> names;  ///< Where a flag is called otherwise: "--lang,-l".
  std::vector<std::string> often;            ///< Options that `--help` tells; --help-all has all.
};

/// Options of stages as the command line has them, from the stages' own declarations: `max_angle`
/// is --max-angle, `expand`, which is true by default, --no-expand. Arguments refer to it: it stays
/// where it is.
class Flags {
 public:
  /// A stage that is not there, or cannot be made (a plugin's), has no flags.
  void declare(Arguments& arguments, const StageFlags& of);

  /// What was typed that the stages do not take, in the flags' terms: "--quality: 101 is outside
  /// 1..100". Stages of which nothing was typed are not asked.
  std::vector<std::string> complaints();

  bool any_given(const std::string& stage) const;
  /// What was typed for an option; empty where nothing was.
  std::vector<std::string> given(const std::string& stage, const std::string& option) const;
  /// A line for each option that was typed.
  void write(YamlText& yaml, std::size_t indent, const std::string& stage) const;
  /// "quality: ..." of any of the stages as "--quality: ...".
  std::string in_flags(const std::string& complaint) const;
  /// A message of a run with the flags of the options that it names. Those of one word are left
  /// alone: "width" may be the picture's.
  std::string with_flags(std::string message) const;

 private:
  struct Flag {
    std::string option;
    std::string name;      ///< The longest: "--max-angle".
    std::string switches;  ///< What a switch sets: "true", "false".
    bool on = false;       ///< Of a switch.
    std::vector<std::string> typed;
    std::vector<std::string> values() const { return on ? std::vector{switches} : typed; }
  };
  struct Flagged {
    std::string name;
    std::unique_ptr<Stage> stage;
    Options options;
    std::deque<Flag> flags;         // deques: the arguments refer to what is in them
    bool lacks_a_required = false;  // which the verb sets itself: the stage cannot be asked here
  };

  const Flagged* find(const std::string& stage) const;

  std::deque<Flagged> stages_;
};

}  // namespace millrace::cli
