// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <csignal>
#include <filesystem>

#include "support/catch.hpp"
#include "support/napping.hpp"

using namespace millrace::testing;

TEST_CASE("an interrupt ends a run in the middle and leaves nothing half", "[cli][signals]") {
  const Napping run("time: 1h");
  Program program = run.start();
  run.wait_for_naps(program, 1);
  program.send(SIGINT);
  const auto ended = program.wait();
  CHECK(ended.status == 130);
  CHECK_THAT(ended.err, ContainsSubstring("interrupted, stopping"));
  // In the summary, or on a machine too busy for that in the message of the forced end.
  CHECK_THAT(ended.out + ended.err, ContainsSubstring("12 files: 0 done, 12 not done"));
  CHECK(run.written("late").empty());
  CHECK(run.litter().empty());
}

TEST_CASE("a request to end lets what is under way end", "[cli][signals]") {
  const Napping run("until: naps/over");
  Program program = run.start();
  run.wait_for_naps(program, 1);
  program.send(SIGTERM);
  REQUIRE(eventually([&] { return program.err().find("told to end") != std::string::npos; }));
  run.wake();
  const auto ended = program.wait();
  CHECK(ended.status == 143);
  CHECK_FALSE(run.written("late").empty());
  CHECK(run.written("late").size() == run.written("early").size());
  CHECK(run.litter().empty());
}

TEST_CASE("a stage that does not end is left behind", "[cli][signals]") {
  const Napping run("time: 1h, stubborn: true", "shutdown_timeout: 400ms");
  Program program = run.start();
  run.wait_for_naps(program, 1);
  program.send(SIGTERM);
  const auto ended = program.wait();
  CHECK(ended.status == 4);
  CHECK_THAT(ended.err, ContainsSubstring("forced to end; still at work: "));
  CHECK_THAT(ended.err, ContainsSubstring("nap on "));
  CHECK_THAT(ended.err, ContainsSubstring("\nnap: works on "));
  CHECK(run.litter().empty());
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
