// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/plugin_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace millrace::testing {

namespace fs = std::filesystem;

PluginFolder::PluginFolder() : path_(fs::canonical(folder_.path())) {
  setenv("MILLRACE_PLUGIN_PATH", ("::/not/there:" + path_.string()).c_str(), 1);
}

PluginFolder::~PluginFolder() { unsetenv("MILLRACE_PLUGIN_PATH"); }

void PluginFolder::copy(const fs::path& library) const {
  fs::copy(library, path_ / library.filename());
}

void PluginFolder::manifest(const std::string& library, const std::string& stage,
                            const std::string& built_for) const {
  write(stage + ".manifest", "millrace " + built_for + "\nlibrary " + library + "\nstage " + stage +
                                 " stage What it does.\n");
}

bool is_open(const fs::path& library) {
  std::ostringstream maps;  // has no size to read it by
  maps << std::ifstream("/proc/self/maps").rdbuf();
  return maps.str().find(library.string()) != std::string::npos;
}

}  // namespace millrace::testing
