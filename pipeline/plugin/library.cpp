// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugin/library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <system_error>

#include "millrace/error.hpp"

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

std::vector<Catalogue::Entry> open(const fs::path& library) {
  limit_threads();
  return Catalogue::collect([&] {
    if (dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
      throw Error(ErrorKind::plugin, library.string() + ": " + reason(library));
  });
}

}  // namespace

const std::vector<Catalogue::Entry>& stages_of(const fs::path& library) {
  static std::mutex mutex;
  static std::map<fs::path, std::vector<Catalogue::Entry>> opened;
  std::error_code ignored;  // what is not there is for dlopen to say
  const fs::path path = fs::weakly_canonical(fs::absolute(library), ignored);
  const std::scoped_lock lock(mutex);
  const auto at = opened.find(path);
  return at != opened.end() ? at->second : opened.emplace(path, open(path)).first->second;
}

}  // namespace millrace
