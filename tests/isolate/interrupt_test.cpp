// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// The program is signalled while a stage works in another process.

#include <signal.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/program.hpp"

using namespace millrace::testing;

namespace {

/// The processes whose parent is `parent`.
std::set<pid_t> children_of(pid_t parent) {
  std::set<pid_t> children;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) children.insert(child);
  }
  return children;
}

/// One that nobody has reaped yet is not alive.
bool is_alive(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(") ");
  return name_end != text.npos && text[name_end + 2] != 'Z';
}

bool all_gone(const std::set<pid_t>& processes) {
  return eventually([&] { return std::ranges::none_of(processes, is_alive); });
}

/// A run that works in processes, and what these are.
struct ApartRun {
  explicit ApartRun(const std::string& nap) {
    for (int i = 0; i < 6; ++i) folder.file("in/" + std::to_string(i), "content");
    folder.file("p.yaml",
                "version: 1\n"
                "run: { shutdown_timeout: 1h }\n"
                "stages:\n"
                "  - files: { path: in }\n"
                "  - nap: { " +
                    nap +
                    " }\n"
                    "    isolate: process\n"
                    "    workers: 3\n"
                    "  - write: { path: 'out/{path}' }\n");
    program.emplace(std::vector<std::string>{"run", "p.yaml"}, folder.path(), MILLRACE_NAP_FOLDER);
    if (!eventually([&] { return children_of(program->id()).size() == 3; }))
      throw std::runtime_error("there are no processes: " + program->err());
    children = children_of(program->id());
  }

  TemporaryFolder folder;
  std::optional<Program> program;
  std::set<pid_t> children;
};

}  // namespace

TEST_CASE("an interrupt kills the processes of a run's stages", "[isolate][signals]") {
  ApartRun run("time: 1h, stubborn: true");
  run.program->send(SIGINT);
  CHECK(run.program->wait().status == 130);
  CHECK(all_gone(run.children));
  CHECK_FALSE(std::filesystem::exists(run.folder / "out/0"));
}

TEST_CASE("a signal of the terminal does not reach a stage's process", "[isolate][signals]") {
  ApartRun run("until: over");
  for (const pid_t child : run.children)
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::kill(child, signal);
  run.folder.file("over");
  const auto ended = run.program->wait();
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, ContainsSubstring("6 files: 6 done"));
  CHECK(all_gone(run.children));
}

TEST_CASE("a stage's process does not outlive a run that is killed", "[isolate][signals]") {
  ApartRun run("time: 1h, stubborn: true");
  run.program->send(SIGKILL);
  CHECK(run.program->wait().status == 128 + SIGKILL);
  CHECK(all_gone(run.children));
}
