// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Any signals at any moment: the program ends within its shutdown time, and what it leaves is
// whole.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <set>
#include <thread>

#include "support/catch.hpp"
#include "support/program.hpp"

using namespace millrace::testing;
using namespace std::chrono_literals;

namespace {

constexpr int files = 12;

/// Twelve files through naps of 3 ms into two folders, in order, with 300 ms to shut down in.
struct Napping {
  explicit Napping(const std::string& nap) {
    for (int i = 0; i < files; ++i) folder.file("in/" + std::to_string(i), "content");
    folder.file("p.yaml",
                "version: 1\n"
                "run: { shutdown_timeout: 300ms, order: preserve }\n"
                "stages:\n"
                "  - files: { path: in }\n"
                "  - write: { path: 'early/{path}' }\n"
                "  - nap: { " +
                    nap +
                    " }\n"
                    "    from: files\n"
                    "    workers: 2\n"
                    "  - write: { path: 'late/{path}' }\n");
  }

  /// What is there that should not be: a part of a file, a hidden temporary.
  std::vector<std::string> litter() const {
    std::vector<std::string> found;
    for (const auto& name : folder.names()) {
      const auto path = folder.path() / name;
      if (name == "p.yaml" || !std::filesystem::is_regular_file(path)) continue;
      if (path.filename().string()[0] == '.' || content_of(path) != "content")
        found.push_back(name);
    }
    return found;
  }

  void clear() const {
    std::filesystem::remove_all(folder.path() / "early");
    std::filesystem::remove_all(folder.path() / "late");
  }

  TemporaryFolder folder;
};

// What the ladder allows, with 128 + n where a signal came before the program was ready for it.
const std::set<int> possible{0, 4, 128 + SIGINT, 128 + SIGTERM};

}  // namespace

TEST_CASE("random signals at random moments end the program and leave nothing half",
          "[cli][signals][random]") {
  const Napping run("time: 3ms");
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto pick = [&](int low, int high) {
      return std::uniform_int_distribution(low, high)(random);
    };
    Program program({"run", "p.yaml"}, run.folder.path(), MILLRACE_NAP_FOLDER);
    for (int signals = pick(1, 3); signals > 0; --signals) {
      std::this_thread::sleep_for(std::chrono::microseconds(pick(0, 25000)));
      if (!program.has_ended()) program.send(pick(0, 1) == 0 ? SIGINT : SIGTERM);
    }
    CHECK(possible.contains(program.wait(20s).status));
    CHECK(run.litter().empty());
    run.clear();
  }
}

TEST_CASE("a second signal cancels what the first lets end", "[cli][signals]") {
  const Napping run("time: 1h");
  Program program({"run", "p.yaml"}, run.folder.path(), MILLRACE_NAP_FOLDER);
  REQUIRE(eventually([&] { return std::filesystem::exists(run.folder / "early/0"); }));
  program.send(SIGTERM);
  REQUIRE(eventually([&] { return program.err().find("told to end") != std::string::npos; }));
  program.send(SIGTERM);
  const auto ended = program.wait();
  CHECK(ended.status == 128 + SIGTERM);
  CHECK_THAT(ended.err, ContainsSubstring("what is under way is cancelled"));
  CHECK_THAT(ended.out, ContainsSubstring("12 files: 0 done, 12 not done"));
  CHECK(run.litter().empty());
}

TEST_CASE("a third signal forces the end of what cannot be cancelled", "[cli][signals]") {
  const Napping run("time: 1h, stubborn: true");
  Program program({"run", "p.yaml"}, run.folder.path(), MILLRACE_NAP_FOLDER);
  REQUIRE(eventually([&] { return std::filesystem::exists(run.folder / "early/0"); }));
  for (int i = 0; i < 3; ++i) {
    program.send(SIGTERM);
    std::this_thread::sleep_for(20ms);  // two that are pending are one to the kernel
  }
  const auto ended = program.wait();
  CHECK(ended.status == 4);
  CHECK_THAT(ended.err, ContainsSubstring("forced to end; still at work: nap on 2 items"));
  CHECK_THAT(ended.err, ContainsSubstring("nap: works on "));
  CHECK(run.litter().empty());
}

TEST_CASE("a signal during the start is not missed", "[cli][signals]") {
  const Napping run("time: 1h");
  for (int delay = 0; delay < 24; delay += 3) {
    CAPTURE(delay);
    Program program({"run", "p.yaml"}, run.folder.path(), MILLRACE_NAP_FOLDER);
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    program.send(SIGTERM);
    CHECK(program.wait(20s).status == 128 + SIGTERM);
    CHECK(run.litter().empty());
    run.clear();
  }
}
