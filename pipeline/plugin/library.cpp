// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/library.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <system_error>

#include "millrace/error.hpp"
#include "plugin/abi/stage.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

/// A worker is one thread; parallelism comes from several of them. OpenMP's runtime reads its limit
/// once, when it is loaded, and nothing that this library links brings it in, so here is early
/// enough for every plugin. A limit that the user exported for other programs must not hold here.
void limit_threads() {
  setenv("OMP_THREAD_LIMIT", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 0);  // OpenBLAS sizes its own pool by it
}

std::string reason(const fs::path& library) {
  const char* said = dlerror();
  std::string reason = said != nullptr ? said : "cannot be opened";
  const std::string path = library.string() + ": ";
  return reason.starts_with(path) ? reason.substr(path.size()) : reason;
}

struct Library {
  std::string interface, version;
  std::vector<Catalogue::Entry> stages;
};

constexpr int furthest_major = 9;  // to look for in a library that has no entry of this version

Library describe(abi::PluginDescription plugin) {
  Library library{"1." + std::to_string(plugin.minor), plugin.version, {}};
  for (const auto& stage : plugin.stages)
    library.stages.push_back(
        {stage->name, stage->summary, stage->role, [stage] { return abi::make_stage(stage); }, {}});
  return library;
}

/// The entry of a plugin in C; null where it has none. Throws where it has that of another version.
decltype(&millrace_plugin_v1) entry_of(void* library) {
  if (void* entry = dlsym(library, "millrace_plugin_v1"))
    return reinterpret_cast<decltype(&millrace_plugin_v1)>(entry);
  for (int major = 2; major <= furthest_major; ++major)
    if (dlsym(library, ("millrace_plugin_v" + std::to_string(major)).c_str()))
      throw Error(ErrorKind::plugin, "built for version " + std::to_string(major) +
                                         " of the plugin interface, this Millrace has 1." +
                                         std::to_string(abi::newest_minor));
  return nullptr;
}

std::atomic<bool> any_opened = false;

Library open(const fs::path& path) {
  limit_threads();
  any_opened = true;
  void* opened = nullptr;
  Library library{{}, {}, Catalogue::collect([&] {
                    opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
                    if (!opened)
                      throw Error(ErrorKind::plugin, path.string() + ": " + reason(path));
                  })};
  try {
    if (const auto entry = entry_of(opened)) return describe(abi::load_plugin(entry));
  } catch (const Error& error) {
    throw error.in(path.string());
  }
  return library;
}

const Library& library_at(const fs::path& library) {
  static std::mutex mutex;
  static std::map<fs::path, Library> opened;
  std::error_code failed;  // what is not there is for dlopen to say
  const fs::path absolute = fs::absolute(library);
  const fs::path resolved = fs::weakly_canonical(absolute, failed);
  const fs::path& path = failed ? absolute : resolved;
  const std::scoped_lock lock(mutex);
  const auto at = opened.find(path);
  return at != opened.end() ? at->second : opened.emplace(path, open(path)).first->second;
}

}  // namespace

const std::vector<Catalogue::Entry>& stages_of(const fs::path& library) {
  return library_at(library).stages;
}

const std::string& interface_of(const fs::path& library) { return library_at(library).interface; }

const std::string& version_of(const fs::path& library) { return library_at(library).version; }

bool any_library_opened() noexcept { return any_opened; }

}  // namespace millrace
