// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// Any signals at any moment: the program ends within its shutdown time, and what it leaves is
// whole.

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/napping.hpp"

using namespace millrace::testing;

namespace {

// What the ladder allows, with 128 + n where a signal came before the program was ready for it.
const std::set<int> possible{0, 4, 128 + SIGINT, 128 + SIGTERM};

/// Sends a request to end, and waits until it is heard: two that are pending are one to the kernel.
bool is_heard(const Program& program, const std::string& answer) {
  program.send(SIGTERM);
  return eventually([&] { return program.err().find(answer) != std::string::npos; });
}

/// A file's name to its inode, which is another one where it was written again.
using Inodes = std::map<std::string, ino_t>;

/// A pipeline that copies files, and goes on where the run before it was ended.
class Copying {
 public:
  static constexpr std::size_t files = 40;

  Copying() {
    for (std::size_t i = 0; i < files; ++i) folder_.file("in/" + std::to_string(i), content_);
    folder_.file("p.yaml",
                 "version: 1\n"
                 "stages:\n"
                 "  - files: { path: in }\n"
                 "  - nap: { time: 1ms }\n"
                 "    workers: 2\n"
                 "  - write: { path: 'out/{path}', if_exists: skip }\n");
  }

  Program start() const { return {{"run", "p.yaml"}, folder_.path(), MILLRACE_NAP_FOLDER}; }

  /// What is in the output folder, each a whole copy. Hidden temporaries are no outputs: a run that
  /// is killed leaves them where the file system has no files without a name.
  Inodes written() const {
    Inodes found;
    for (const auto& name : names()) {
      struct stat status = {};
      REQUIRE(::stat((folder_ / name).c_str(), &status) == 0);
      CHECK(content_of(folder_ / name) == content_);
      found.emplace(name, status.st_ino);
    }
    return found;
  }

  std::size_t count() const { return names().size(); }

  void clear() const { std::filesystem::remove_all(folder_ / "out"); }

 private:
  std::vector<std::string> names() const {
    auto found = folder_.names();
    std::erase_if(found, [](const std::string& name) {
      return !name.starts_with("out/") || name.starts_with("out/.");
    });
    return found;
  }

  TemporaryFolder folder_;
  std::string content_ = std::string(100'000, 'x');
};

}  // namespace

TEST_CASE("random signals at random moments end the program and leave nothing half",
          "[cli][signals][random]") {
  const Napping run("time: 3ms", "shutdown_timeout: 300ms, order: preserve");
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto pick = [&](int low, int high) {
      return std::uniform_int_distribution(low, high)(random);
    };
    Program program = run.start();
    for (int signals = pick(1, 3); signals > 0; --signals) {
      std::this_thread::sleep_for(std::chrono::microseconds(pick(0, 25000)));
      if (!program.has_ended()) program.send(pick(0, 1) == 0 ? SIGINT : SIGTERM);
    }
    CHECK(possible.contains(program.wait().status));
    CHECK(run.litter().empty());
    run.clear();
  }
}

TEST_CASE("a second signal cancels what the first lets end", "[cli][signals]") {
  const Napping run("time: 1h");
  Program program = run.start();
  run.wait_for_naps(program, 1);
  REQUIRE(is_heard(program, "told to end"));
  program.send(SIGTERM);
  const auto ended = program.wait();
  CHECK(ended.status == 128 + SIGTERM);
  CHECK_THAT(ended.err, ContainsSubstring("what is under way is cancelled"));
  CHECK_THAT(ended.out, ContainsSubstring("12 files: 0 done, 12 not done"));
  CHECK(run.litter().empty());
}

TEST_CASE("a third signal forces the end of what cannot be cancelled", "[cli][signals]") {
  const Napping run("time: 1h, stubborn: true");
  Program program = run.start();
  run.wait_for_naps(program, 2);
  REQUIRE(is_heard(program, "told to end"));
  REQUIRE(is_heard(program, "is cancelled"));
  program.send(SIGTERM);
  const auto ended = program.wait();
  CHECK(ended.status == 4);
  CHECK_THAT(ended.err, ContainsSubstring("forced to end; still at work: "));
  CHECK_THAT(ended.err, ContainsSubstring("nap on 2 items\n"));
  CHECK_THAT(ended.err, ContainsSubstring("\nnap: works on "));
  CHECK(run.litter().empty());
}

TEST_CASE("a signal during the start is not missed", "[cli][signals]") {
  const Napping run("time: 1h");
  for (int delay = 0; delay < 24; delay += 3) {
    CAPTURE(delay);
    Program program = run.start();
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    program.send(SIGINT);
    CHECK(program.wait().status == 128 + SIGINT);
    CHECK(run.litter().empty());
    run.clear();
  }
}

TEST_CASE("what runs that are killed leave is done by the next one, and nothing else",
          "[cli][signals][random]") {
  const Copying run;
  std::mt19937 random(1);
  const auto pick = [&](std::size_t high) {
    return std::uniform_int_distribution(std::size_t{0}, high)(random);
  };
  Inodes done;
  for (int killed = 0; killed < 10;) {
    Program program = run.start();
    const std::size_t files = done.size() + 1 + pick(4);
    REQUIRE(eventually([&] { return run.count() >= files || program.has_ended(); }));
    std::this_thread::sleep_for(std::chrono::microseconds(pick(2000)));
    program.send(SIGKILL);
    if (program.wait().status == 128 + SIGKILL) ++killed;

    const auto now = run.written();
    CHECK(std::includes(now.begin(), now.end(), done.begin(), done.end()));
    done = now;
    if (done.size() + 5 <= Copying::files) continue;
    run.clear();
    done.clear();
  }
  const auto ended = run.start().wait();
  CHECK(ended.status == 0);
  const auto now = run.written();
  CHECK(now.size() == Copying::files);
  CHECK(std::includes(now.begin(), now.end(), done.begin(), done.end()));
}
