// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/load.hpp"
#include "cli/reference/print.hpp"
#include "cli/verb.hpp"
#include "millrace/catalogue.hpp"
#include "millrace/error.hpp"
#include "stages/support/file_error.hpp"

namespace millrace::cli {
namespace {

namespace fs = std::filesystem;

using Entries = std::vector<const Catalogue::Entry*>;

void print_group(const std::string& title, const Entries& entries) {
  if (entries.empty()) return;
  std::cout << title << "\n";
  std::size_t width = 0;
  for (const auto* const entry : entries) width = std::max(width, entry->name.size());
  for (const auto* const entry : entries) {
    auto text = wrapped(
        entry->summary + (entry->plugin.empty() ? "" : " (plugin " + plugin_name(*entry) + ")"),
        width + 4);
    if (text.empty()) text = std::string(width + 4, ' ') + "\n";
    std::cout << "  " << left(entry->name, width) << "  " << text.substr(width + 4);
  }
  std::cout << "\n";
}

/// Without opening a plugin's library; of an older one it is not known.
std::optional<Flow> flow_of(const Catalogue::Entry& entry) {
  if (!entry.plugin.empty()) return entry.flow;
  const auto stage = entry.make();
  return Flow{stage->takes(), stage->gives()};
}

int list_stages() {
  std::map<StageGroup, Entries> groups;
  Entries others;
  for (const auto* const entry : Catalogue::instance().all()) {
    const auto flow = flow_of(*entry);
    (flow ? groups[group_of(*flow)] : others).push_back(entry);
  }
  print_group("Sources", groups[StageGroup::source]);
  print_group("Transforms", groups[StageGroup::transform]);
  print_group("Sinks", groups[StageGroup::sink]);
  print_group("In plugins", others);
  std::cout << "millrace stages NAME shows one with its options.\n";
  return Exit::all_done;
}

void write(const fs::path& file, const std::string& text) {
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed)
    throw file_error("cannot make the folder " + file.parent_path().string(), failed.value());
  std::ofstream out(file, std::ios::binary);
  if (!(out << text).flush()) throw file_error("cannot write " + file.string(), errno);
}

struct Stages final : Verb {
  std::string name;
  bool json = false, markdown = false;
  std::optional<std::string> output;

  void arguments(Arguments& a) override {
    a.positional("NAME", name, "A stage, to see its options")
        .completes(Argument::Completion::stage);
    a.flag("--json", json, "For programs; without NAME, all stages with their options");
    a.flag("--markdown", markdown, "As pages of the reference");
    a.option("--output,-o", output, "FOLDER", "With --markdown: write the pages there")
        .completes(Argument::Completion::folder);
  }
  int run() override;

 private:
  int show(const Catalogue& catalogue) const;
  int print_all(const Catalogue& catalogue) const;
};

int Stages::show(const Catalogue& catalogue) const {
  const auto* const entry = catalogue.find(name);
  if (!entry) {
    say("millrace stages: there is no stage '" + name + "'; " +
        Prototypes(catalogue).hint_for(name));
    return Exit::wrong_usage;
  }
  const auto facts = facts_of(catalogue, *entry);
  if (!facts.made.stage)
    throw Error(ErrorKind::plugin, "'" + name + "' cannot be used: " + facts.problem);
  std::cout << (json ? stage_json(facts) : markdown ? stage_markdown(facts) : stage_text(facts));
  return Exit::all_done;
}

int Stages::print_all(const Catalogue& catalogue) const {
  const auto all = facts_of_all(catalogue);
  for (const auto& stage : all)
    if (!stage.made.stage) say("warning: '" + stage.name() + "' is left out: " + stage.problem);
  if (json) {
    std::cout << stages_json(all);
    return Exit::all_done;
  }
  for (const auto& [path, text] : reference_pages(all)) {
    if (output)
      write(fs::path(*output) / path, text);
    else if (path.ends_with(".md"))
      std::cout << text << "\n";
  }
  return Exit::all_done;
}

int Stages::run() {
  if (json && markdown)
    throw Error(ErrorKind::usage, "stages: choose one of --json and --markdown");
  if (output && (!markdown || !name.empty()))
    throw Error(ErrorKind::usage,
                "stages: --output is for all pages: millrace stages --markdown --output FOLDER");
  const auto left_out = find_plugins();
  const auto& catalogue = Catalogue::instance();
  const int status = !name.empty()      ? show(catalogue)
                     : json || markdown ? print_all(catalogue)
                                        : list_stages();
  if (!name.empty()) return status;
  for (const auto& conflict : catalogue.conflicts()) say("warning: " + conflict);
  if (left_out > 0)
    say("warning: " + counted(left_out, "plugin") + " cannot be used; 'millrace plugins' says why");
  return status;
}

const RegisterVerb<Stages> registered{"stages", Verbs::Group::pipelines,
                                      "List the stages, or show one with its options",
                                      "millrace stages resize"};

}  // namespace
}  // namespace millrace::cli
