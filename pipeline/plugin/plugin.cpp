// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/plugin.hpp"

#include <algorithm>
#include <memory>

#include "millrace/error.hpp"
#include "plugin/find.hpp"
#include "plugin/library.hpp"
#include "plugin/probe.hpp"

namespace millrace::inline v1 {
namespace {

std::unique_ptr<Stage> make(const Manifest& manifest, const std::string& name) {
  const std::string library = manifest.library.string();
  if (const auto reason = why_not_to_open(manifest.library))
    throw Error(ErrorKind::plugin, library + ": " + *reason);
  const auto& stages = stages_of(manifest.library);
  const auto at = std::ranges::find(stages, name, &Catalogue::Entry::name);
  if (at != stages.end()) return at->make();
  std::string has;
  for (const auto& stage : stages) has += (has.empty() ? "" : ", ") + stage.name;
  throw Error(ErrorKind::plugin, library + ": does not register the stage '" + name +
                                     "' that its manifest promises; it has " +
                                     (has.empty() ? "none" : has));
}

void offer(const FoundPlugin& plugin, Catalogue& catalogue) {
  const auto manifest = std::make_shared<const Manifest>(plugin.manifest);
  for (const auto& stage : manifest->stages)
    catalogue.add({stage.name, stage.summary, stage.role,
                   [manifest, name = stage.name] { return make(*manifest, name); },
                   manifest->library.string(), stage.flow});
}

/// The name of what is complained about, unless the complaint begins with it.
std::string complaint_about(const FoundPlugin& plugin) {
  const std::string file = plugin.file.string();
  return plugin.problem.starts_with(file) ? plugin.problem : file + ": " + plugin.problem;
}

}  // namespace

std::vector<std::string> load_manifests(Catalogue& catalogue) {
  std::vector<std::string> complaints;
  for (const auto& plugin : list_plugins()) {
    if (plugin.problem.empty()) {
      offer(plugin, catalogue);
      continue;
    }
    complaints.push_back(complaint_about(plugin));
    for (const auto& stage : plugin.manifest.stages)
      catalogue.leave_out(stage.name, "the plugin " + plugin.manifest.library.string() +
                                          " has it but is refused: " + plugin.problem);
  }
  return complaints;
}

}  // namespace millrace::inline v1
