// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verb.hpp"
#include "millrace/catalogue.hpp"
#include "plugin/find.hpp"
#include "plugin/trial_memory.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

namespace fs = std::filesystem;

/// Why a plugin cannot be used, as far as is known without opening it.
std::string problem_of(const FoundPlugin& plugin) {
  if (!plugin.problem.empty()) return plugin.problem;
  std::error_code failed;
  if (!fs::exists(plugin.manifest.library, failed))
    return plugin.manifest.library.string() + " is not there";
  return remembered_trial(identity_of(plugin.manifest.library)).value_or("");
}

/// Who has the name, where it is not this plugin; a plugin that cannot be used has none.
std::string shadow_of(const FoundPlugin& plugin, const std::string& stage) {
  const auto* const entry = Catalogue::instance().find(stage);
  if (!plugin.problem.empty() || !entry || entry->plugin == plugin.manifest.library) return {};
  return "not used: there is one " + (entry->plugin.empty() ? "built in" : "in " + entry->plugin);
}

void print_stages_of(const FoundPlugin& plugin) {
  std::size_t width = 0;
  for (const auto& stage : plugin.manifest.stages)
    width = std::max(width, columns_of(printable(stage.name)));
  for (const auto& stage : plugin.manifest.stages) {
    const auto text = wrapped(printable(stage.summary), width + 6);
    std::cout << "    " << left(printable(stage.name), width)
              << (text.empty() ? "\n" : text.substr(width + 4));
    if (const auto shadow = shadow_of(plugin, stage.name); !shadow.empty())
      std::cout << wrapped(printable(shadow), width + 6);
  }
}

void print_plugin(const FoundPlugin& plugin) {
  const auto& manifest = plugin.manifest;
  std::cout << "  " << printable(plugin.file.stem().string());
  if (!manifest.own_version.empty()) std::cout << " " << printable(manifest.own_version);
  if (!manifest.built_for.empty())
    std::cout << "  for Millrace " << printable(manifest.built_for);
  else if (!manifest.interface.empty())
    std::cout << "  for the C interface " << printable(manifest.interface);
  std::cout << "\n";
  print_stages_of(plugin);
  if (const auto problem = problem_of(plugin); !problem.empty())
    std::cout << "    cannot be used: " << printable(problem) << "\n";  // with words to copy
}

struct Plugins final : Verb {
  int run() override;
};

int Plugins::run() {
  find_plugins();
  const auto plugins = list_plugins();
  for (const auto& folder : plugin_folders()) {
    std::error_code failed;
    std::cout << printable(folder.string())
              << (fs::is_directory(folder, failed) ? "" : "  (not there)") << "\n";
    for (const auto& plugin : plugins)
      if (plugin.file.parent_path() == folder) print_plugin(plugin);
  }
  return Exit::all_done;
}

const RegisterVerb<Plugins> registered{"plugins", Verbs::Group::program,
                                       "List the plugins, and why one cannot be used",
                                       "millrace plugins"};

}  // namespace
}  // namespace millrace::cli
