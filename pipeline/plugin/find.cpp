// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/find.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <system_error>

#include "millrace/error.hpp"
#include "plugin/place.hpp"
#include "plugin/trust.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

/// In the order of their names; a folder that is not there has none.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ended;
  for (fs::directory_iterator at(folder, ended), end; !ended && at != end; at.increment(ended))
    files.push_back(at->path());
  std::ranges::sort(files);
  return files;
}

/// What stands in the way of using a plugin whose manifest can be read.
std::string problem_of(const fs::path& file, const Manifest& manifest) {
  for (const auto& path :
       {file.parent_path(), file, manifest.library.parent_path(), manifest.library})
    if (auto distrusted = distrust(path)) return *distrusted;
  std::error_code failed;  // one that is not there is told when a stage of it is made
  const auto type = fs::status(manifest.library, failed).type();
  if (type != fs::file_type::not_found && type != fs::file_type::regular)  // a pipe would wait
    return manifest.library.string() +
           ": cannot be opened: " + (failed ? failed.message() : "it is not a file");
  return manifest.misfit().value_or("");
}

FoundPlugin look_at(const fs::path& file) {
  FoundPlugin found{file, {}, {}};
  try {
    found.manifest = Manifest::read(file);
    std::error_code failed;
    const auto library = fs::weakly_canonical(found.manifest.library, failed);
    if (!failed) found.manifest.library = library;
    found.problem = problem_of(file, found.manifest);
  } catch (const Error& error) {
    found.problem = error.what();
  }
  return found;
}

/// One that cannot be read may be about the library of its name.
bool has_manifest(const fs::path& library, const std::vector<FoundPlugin>& plugins) {
  return std::ranges::any_of(plugins, [&library](const FoundPlugin& plugin) {
    return plugin.manifest.library == library || plugin.file == manifest_path(library);
  });
}

}  // namespace

std::vector<fs::path> plugin_folders() {
  std::vector<fs::path> folders;
  const auto add = [&folders](const fs::path& folder) {
    std::error_code failed;  // the working folder may be gone, a link lead nowhere
    const auto absolute = fs::absolute(folder, failed);
    auto path = fs::weakly_canonical(absolute, failed);
    if (path.empty()) path = folder;
    if (std::ranges::find(folders, path) == folders.end()) folders.push_back(path);
  };
  const char* path = std::getenv("MILLRACE_PLUGIN_PATH");
  std::istringstream list(path != nullptr ? path : "");
  for (std::string folder; std::getline(list, folder, ':');)
    if (!folder.empty()) add(folder);
  if (const auto data = user_folder("XDG_DATA_HOME", ".local/share"); !data.empty())
    add(data / "millrace/plugins/abi1");
  if (const auto own = own_folder(); !own.empty()) add(own / "plugins");
  return folders;
}

std::vector<FoundPlugin> list_plugins() {
  std::vector<FoundPlugin> plugins;
  for (const auto& folder : plugin_folders()) {
    const auto files = files_in(folder);
    for (const auto& file : files)
      if (file.extension() == ".manifest") plugins.push_back(look_at(file));
    for (const auto& file : files)
      if (file.extension() == ".so" && !has_manifest(file, plugins))
        plugins.push_back({file, {}, "no manifest names it; millrace_add_plugin() writes one"});
  }
  return plugins;
}

}  // namespace millrace
