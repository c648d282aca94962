// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "support/catch.hpp"
#include "support/program.hpp"

using namespace millrace::testing;

namespace {

constexpr int files = 20;

/// A run of the program whose first writer is fast and whose second one waits for naps.
struct SlowRun {
  SlowRun(const std::string& nap, const std::string& shutdown_timeout) {
    for (int i = 0; i < files; ++i) folder.file("in/" + std::to_string(i), "content");
    folder.file("p.yaml",
                "version: 1\n"
                "run: { shutdown_timeout: " +
                    shutdown_timeout +
                    " }\n"
                    "stages:\n"
                    "  - files: { path: in }\n"
                    "  - write: { path: 'early/{path}' }\n"
                    "  - nap: { " +
                    nap +
                    " }\n"
                    "    from: files\n"
                    "  - write: { path: 'late/{path}' }\n");
  }

  std::vector<std::string> written(const std::string& part) const {
    std::vector<std::string> names;
    for (const auto& name : folder.names())
      if (name.starts_with(part + "/")) names.push_back(name);
    return names;
  }

  /// Signals the program once it is at work.
  Program::Ended signalled(int signal) const {
    Program program({"run", "p.yaml"}, folder.path(), MILLRACE_NAP_FOLDER);
    if (!eventually([&] { return !written("early").empty(); }))
      throw std::runtime_error("nothing was written: " + program.err());
    program.send(signal);
    return program.wait();
  }

  bool has_only_whole_files() const {
    return std::ranges::all_of(folder.names(), [&](const std::string& name) {
      return name == "p.yaml" || !std::filesystem::is_regular_file(folder.path() / name) ||
             content_of(folder.path() / name) == "content";
    });
  }

  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("an interrupt ends a run in the middle and leaves nothing half", "[cli][signals]") {
  const SlowRun run("time: 1h", "1h");
  const auto ended = run.signalled(SIGINT);
  CHECK(ended.status == 130);
  CHECK_THAT(ended.err, ContainsSubstring("interrupted, stopping"));
  // In the summary, or on a machine too busy for that in the message of the forced end.
  CHECK_THAT(ended.out + ended.err, ContainsSubstring("20 files: 0 done, 20 not done"));
  CHECK(run.written("late").empty());
  CHECK(run.has_only_whole_files());
}

TEST_CASE("a request to end lets what is under way end", "[cli][signals]") {
  const SlowRun run("time: 200ms", "1h");
  const auto ended = run.signalled(SIGTERM);
  CHECK(ended.status == 143);
  CHECK_FALSE(run.written("late").empty());
  CHECK(run.written("late").size() == run.written("early").size());
  CHECK(run.has_only_whole_files());
}

TEST_CASE("a stage that does not end is left behind", "[cli][signals]") {
  const SlowRun run("time: 1h, stubborn: true", "400ms");
  const auto ended = run.signalled(SIGTERM);
  CHECK(ended.status == 4);
  CHECK_THAT(ended.err, ContainsSubstring("forced to end; still at work: "));
  CHECK_THAT(ended.err, ContainsSubstring("still at work: nap on "));
  CHECK_THAT(ended.err, ContainsSubstring("\nnap: works on "));
  CHECK(run.has_only_whole_files());
}

TEST_CASE("an interrupt in the middle of recognition leaves whole files only", "[cli][signals]") {
  const TemporaryFolder folder;
  Program program({"run", MILLRACE_SOURCE_DIR "/configs/ocr.yaml", "--set",
                   "in=" MILLRACE_SOURCE_DIR "/sample_data/scans", "--set",
                   "out=" + (folder.path() / "out").string()},
                  folder.path());
  REQUIRE(eventually([&] { return !folder.names().empty(); }));
  program.send(SIGINT);
  const auto status = program.wait().status;
  CHECK((status == 130 || status == 0));  // 0: it had just ended
  for (const auto& name : folder.names()) {
    const std::filesystem::path file = folder.path() / name;
    if (!std::filesystem::is_regular_file(file)) continue;
    INFO(name);
    CHECK((file.extension() == ".txt" || file.extension() == ".hocr"));
    if (file.extension() == ".hocr") CHECK_THAT(content_of(file), ContainsSubstring("</html>"));
  }
}
