// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verb.hpp"
#include "config/prototypes.hpp"
#include "millrace/catalogue.hpp"

namespace millrace::cli {
namespace {

using Entries = std::vector<const Catalogue::Entry*>;

void print_group(const std::string& title, const Entries& entries) {
  if (entries.empty()) return;
  std::cout << title << "\n";
  std::size_t width = 0;
  for (const auto* const entry : entries) width = std::max(width, entry->name.size());
  for (const auto* const entry : entries) {
    auto text = wrapped(entry->summary, width + 4);
    if (text.empty()) text = std::string(width + 4, ' ') + "\n";
    std::cout << "  " << left(entry->name, width) << "  " << text.substr(width + 4);
  }
  std::cout << "\n";
}

/// A plugin's stage is not made for this: that would open its library.
int list_stages(std::size_t left_out) {
  Entries sources, transforms, sinks, plugins;
  for (const auto* const entry : Catalogue::instance().all()) {
    if (!entry->plugin.empty()) {
      plugins.push_back(entry);
      continue;
    }
    const auto stage = entry->make();
    auto& group = stage->takes().empty() ? sources : stage->gives() ? transforms : sinks;
    group.push_back(entry);
  }
  print_group("Sources", sources);
  print_group("Transforms", transforms);
  print_group("Sinks", sinks);
  print_group("In plugins", plugins);
  std::cout << "millrace stages NAME shows one with its options.\n";
  for (const auto& conflict : Catalogue::instance().conflicts()) say("warning: " + conflict);
  if (left_out > 0)
    say("warning: " + counted(left_out, "plugin") + " cannot be used; 'millrace plugins' says why");
  return Exit::all_done;
}

std::string kinds_of(const Stage& stage) {
  std::string text;
  for (const auto kind : stage.takes())
    text += (text.empty() ? "takes " : " or ") + std::string(name_of(kind));
  if (const auto kind = stage.gives())
    text += (text.empty() ? "gives " : ", gives ") + std::string(name_of(*kind));
  return text;
}

std::string describe(const Option& option) {
  std::string text = option.type();
  const auto allowed = option.allowed();
  if (!allowed.empty() && allowed != text)
    text = option.choices().empty() ? text + ", " + allowed : allowed;
  if (option.is_required()) return text + "; required";
  const auto& value = option.default_text();
  return text + (value.empty() ? "; not set by default" : "; default " + value);
}

void print_option(const Option& option) {
  std::cout << "  " << option.name() << "\n"
            << wrapped(describe(option), 6) << wrapped(option.summary(), 6);
  std::size_t width = 0;
  for (const auto& [name, summary] : option.choices()) width = std::max(width, name.size());
  for (const auto& [name, summary] : option.choices())
    if (!summary.empty())
      std::cout << "        " << left(name, width) << "  "
                << wrapped(summary, width + 10).substr(width + 10);
}

/// The required options, or the first one, as a list item of a pipeline.
std::string example_of(const std::string& name, const Options& options) {
  std::string settings;
  for (const auto& option : options.all()) {
    if (!option.is_required()) continue;
    settings += (settings.empty() ? "" : ", ") + option.name() + ": <" + option.type() + ">";
  }
  if (settings.empty() && !options.all().empty()) {
    const auto& option = options.all().front();
    settings = option.name() + ": " +
               (option.default_text().empty() ? "<" + option.type() + ">" : option.default_text());
  }
  return settings.empty() ? "- " + name : "- " + name + ": { " + settings + " }";
}

int show_stage(const std::string& name) {
  const auto& catalogue = Catalogue::instance();
  const auto* const entry = catalogue.find(name);
  if (!entry) {
    say("millrace stages: there is no stage '" + name + "'; " +
        Prototypes(catalogue).hint_for(name));
    return Exit::wrong_usage;
  }
  const auto stage = entry->make();
  Options options;
  stage->options(options);
  std::cout << wrapped(name + ": " + entry->summary, 0) << "  " << kinds_of(*stage)
            << (entry->plugin.empty() ? "" : "; in the plugin " + entry->plugin) << "\n";
  if (!options.all().empty()) std::cout << "\nOptions\n";
  for (const auto& option : options.all()) print_option(option);
  std::cout << "\nIn a pipeline\n  " << example_of(name, options) << "\n";
  return Exit::all_done;
}

struct Stages final : Verb {
  std::string name;

  void arguments(Arguments& a) override {
    a.positional("NAME", name, "A stage, to see its options")
        .completes(Argument::Completion::stage);
  }
  int run() override {
    const auto left_out = find_plugins();
    return name.empty() ? list_stages(left_out) : show_stage(name);
  }
};

const RegisterVerb<Stages> registered{"stages", Verbs::Group::pipelines,
                                      "List the stages, or show one with its options",
                                      "millrace stages resize"};

}  // namespace

}  // namespace millrace::cli
