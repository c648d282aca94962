// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/verbs.hpp"
#include "millrace/catalogue.hpp"
#include "millrace/error.hpp"
#include "plugin/find.hpp"
#include "plugin/probe.hpp"
#include "plugin/trial.hpp"
#include "plugin/trial_memory.hpp"
#include "plugin/trust.hpp"
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

/// One line for each check, written as it ends.
class Verdicts {
 public:
  void hear(std::string_view line) {
    const auto blank = line.find(' ');
    const auto word = line.substr(0, blank);
    const auto rest = blank == line.npos ? std::string_view() : line.substr(blank + 1);
    if (word == "begin")
      check_ = rest;
    else if (word == "end")
      complete_ = true;
    else
      tell(word == "ok" ? "ok" : word == "skipped" ? "skipped" : "FAILED", rest);
  }
  /// `how` the process ended, which is a failure where it was not through yet.
  void end(const std::string& how) {
    if (!complete_) tell("FAILED", "the plugin " + how);
  }
  std::size_t failed() const { return failed_; }

 private:
  void tell(std::string_view verdict, std::string_view why) {
    if (verdict == "FAILED") ++failed_;
    std::cout << left(verdict, 9) << printable(check_) << (why.empty() ? "" : ": " + printable(why))
              << std::endl;
  }

  std::string check_ = "it is tried";
  std::size_t failed_ = 0;
  bool complete_ = false;
};

/// What can be told without opening it, and then whether a process of its own survives that.
std::string why_not_to_check(const fs::path& library) try {
  std::error_code failed;
  if (!fs::is_regular_file(library, failed)) return "there is no such file";
  for (const auto& path : {fs::absolute(library).parent_path(), library})
    if (auto distrusted = distrust(path)) return *distrusted;
  const auto manifest = manifest_path(library);
  if (fs::exists(manifest, failed))
    if (auto misfit = Manifest::read(manifest).misfit()) return *misfit;
  return try_to_open(library).value_or("");
} catch (const Error& error) {
  return error.what();
}

}  // namespace

int print_plugins() {
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

int check_plugin_file(const std::string& file) {
  fs::path library = file;
  if (library.extension() == ".manifest") library = Manifest::read(library).library;
  if (const auto reason = why_not_to_check(library); !reason.empty()) {
    std::cout << "FAILED   it can be opened: " << printable(reason) << "\n";
    return Exit::some_failed;
  }
  constexpr std::chrono::seconds patience{30};
  Verdicts verdicts;
  const auto trial = run_probe({"check", fs::absolute(library).string()}, false, patience,
                               [&verdicts](std::string_view line) { verdicts.hear(line); });
  verdicts.end(trial.how(patience));
  std::cout << (verdicts.failed() == 0 ? "\nIt keeps the rules.\n"
                                       : "\n" + counted(verdicts.failed(), "check") + " failed.\n");
  return verdicts.failed() == 0 ? Exit::all_done : Exit::some_failed;
}

}  // namespace millrace::cli
