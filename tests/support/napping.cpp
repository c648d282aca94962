// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/napping.hpp"

#include <filesystem>
#include <stdexcept>

namespace millrace::testing {

namespace fs = std::filesystem;

Napping::Napping(const std::string& nap, const std::string& run) {
  for (int i = 0; i < 12; ++i) folder_.file("in/" + std::to_string(i), "content");
  fs::create_directory(folder_ / "naps");
  folder_.file("p.yaml", "version: 1\nrun: { " + run +
                             " }\n"
                             "stages:\n"
                             "  - files: { path: in }\n"
                             "  - write: { path: 'early/{path}' }\n"
                             "  - nap: { naps: naps, " +
                             nap +
                             " }\n"
                             "    from: files\n"
                             "    workers: 2\n"
                             "  - write: { path: 'late/{path}' }\n");
}

Program Napping::start() const { return {{"run", "p.yaml"}, folder_.path(), MILLRACE_NAP_FOLDER}; }

void Napping::wait_for_naps(const Program& program, std::size_t count) const {
  if (!eventually([&] { return written("naps").size() >= count; }))
    throw std::runtime_error("no nap was begun: " + program.err());
}

std::vector<std::string> Napping::written(std::string_view part) const {
  std::vector<std::string> names;
  for (const auto& name : folder_.names())
    if (name.starts_with(std::string(part) + "/")) names.push_back(name);
  return names;
}

std::vector<std::string> Napping::litter() const {
  std::vector<std::string> found;
  for (const auto& name : folder_.names()) {
    const auto path = folder_.path() / name;
    if (name == "p.yaml" || name.starts_with("naps/") || !fs::is_regular_file(path)) continue;
    if (path.filename().string()[0] == '.' || content_of(path) != "content") found.push_back(name);
  }
  return found;
}

void Napping::clear() const {
  for (const char* part : {"early", "late", "naps"}) fs::remove_all(folder_ / part);
  fs::create_directory(folder_ / "naps");
}

}  // namespace millrace::testing
