// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/quick/flags.hpp"
#include "cli/quick/yaml_text.hpp"
#include "cli/verb.hpp"

namespace millrace::cli {

/// A verb that writes a pipeline from what was typed, and hands it to `run`, whose flags it takes
/// too.
class QuickVerb : public Verb {
 public:
  explicit QuickVerb(std::string name) : name_("millrace " + std::move(name)) {}

  void arguments(Arguments& arguments) final;
  int run() final;

 protected:
  /// Declares the flags of its stages between those of `files` and of `write`.
  virtual void declare(Arguments& arguments) = 0;
  /// The stages behind `files`. Throws Error (usage).
  virtual void write_stages(YamlText& yaml) const = 0;

  /// A `write` of this template, with the flags of `write` and those of the converter in front.
  void write_sink(YamlText& yaml, const std::string& path, const std::string& converter) const;

  Flags flags_;
  std::vector<std::string> in_;
  std::string out_;

 private:
  std::vector<std::string> complaints();
  std::vector<std::string> complaints(const YamlText& yaml) const;
  YamlText pipeline() const;
  int refuse(const std::vector<std::string>& complaints) const;

  std::string name_;
  bool force_ = false, print_config_ = false;
  std::unique_ptr<Verb> run_;
  Arguments run_arguments_;
};

}  // namespace millrace::cli
