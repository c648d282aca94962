// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/plugin.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>

#include "millrace/error.hpp"
#include "millrace/version.hpp"
#include "plugin/abi/descriptor.hpp"
#include "plugin/library.hpp"
#include "plugin/manifest.hpp"
#include "plugin/place.hpp"

namespace millrace::inline v1 {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders() {
  std::vector<fs::path> folders;
  const char* path = std::getenv("MILLRACE_PLUGIN_PATH");
  std::istringstream list(path != nullptr ? path : "");
  for (std::string folder; std::getline(list, folder, ':');)
    if (!folder.empty()) folders.emplace_back(folder);
  folders.push_back(own_folder() / "plugins");
  return folders;
}

/// In the order of their names; a folder that is not there has none.
std::vector<fs::path> manifests_in(const fs::path& folder) {
  std::vector<fs::path> manifests;
  std::error_code ended;
  for (fs::directory_iterator at(folder, ended), end; !ended && at != end; at.increment(ended))
    if (at->path().extension() == ".manifest") manifests.push_back(at->path());
  std::ranges::sort(manifests);
  return manifests;
}

std::unique_ptr<Stage> make(const Manifest& manifest, const std::string& name) {
  const std::string library = manifest.library.string();
  if (!manifest.interface.empty()) try {
      abi::check_interface(manifest.interface);
    } catch (const Error& error) {
      throw error.in(library);
    }
  else if (manifest.built_for != version())
    throw Error(ErrorKind::plugin, library + ": built for Millrace " + manifest.built_for +
                                       ", this is " + std::string(version()) + ": rebuild it");
  const auto& stages = stages_of(manifest.library);
  const auto at = std::ranges::find(stages, name, &Catalogue::Entry::name);
  if (at != stages.end()) return at->make();
  std::string has;
  for (const auto& stage : stages) has += (has.empty() ? "" : ", ") + stage.name;
  throw Error(ErrorKind::plugin, library + ": does not register the stage '" + name +
                                     "' that its manifest promises; it has " +
                                     (has.empty() ? "none" : has));
}

void add(const fs::path& file, Catalogue& catalogue) {
  const auto manifest = std::make_shared<const Manifest>(Manifest::read(file));
  std::error_code ignored;  // a library that is not there is told when a stage of it is made
  const fs::path library = fs::weakly_canonical(manifest->library, ignored);
  for (const auto& stage : manifest->stages)
    catalogue.add({stage.name, stage.summary, stage.role,
                   [manifest, name = stage.name] { return make(*manifest, name); },
                   library.string()});
}

}  // namespace

std::vector<std::string> load_manifests(Catalogue& catalogue) {
  std::vector<std::string> complaints;
  for (const auto& folder : folders()) {
    for (const auto& file : manifests_in(folder)) {
      try {
        add(file, catalogue);
      } catch (const Error& error) {
        complaints.emplace_back(error.what());
      }
    }
  }
  return complaints;
}

}  // namespace millrace::inline v1
