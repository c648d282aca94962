// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/events.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>

#include "support/catch.hpp"
#include "support/napping.hpp"

using namespace millrace;
using namespace millrace::cli;
using namespace millrace::testing;
using namespace std::chrono_literals;

using Json = nlohmann::json;

namespace {

/// Each line, read as JSON.
std::vector<Json> events_in(const std::string& text) {
  std::vector<Json> events;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    events.push_back(Json::parse(line));
    CHECK(events.back().contains("event"));
    CHECK(events.back()["time"].get<double>() >= 0);
  }
  return events;
}

std::map<std::string, int> counted_by_name(const std::vector<Json>& events) {
  std::map<std::string, int> counts;
  for (const auto& event : events) ++counts[event["event"].get<std::string>()];
  return counts;
}

/// A folder with files of which one is too large; one has a name that is not UTF-8.
struct Folder : TemporaryFolder {
  Folder() {
    file("in/a.txt", "x");
    file("in/b.txt", "too large");
    file("in/c\xff\"\n.txt", "x");
    file("p.yaml",
         "version: 1\n"
         "stages:\n"
         "  - files: { path: in, max_file_size: 5 }\n"
         "  - write: { path: 'out/{path}' }\n");
  }
};

}  // namespace

TEST_CASE("a run tells what happens as JSON, and the summary goes elsewhere", "[cli][events]") {
  const Folder folder;
  const auto ended = Program({"run", "p.yaml", "--json"}, folder.path()).wait();
  CHECK(ended.status == 1);
  CHECK_THAT(ended.err, ContainsSubstring("3 files: 2 done, 1 failed"));
  const auto events = events_in(ended.out);
  REQUIRE(events.size() >= 6);
  CHECK(events.front()["event"].get<std::string>() == "run_started");
  CHECK(events.front()["version"] == 1);
  CHECK(events.front()["stages"].size() == 2);
  auto counts = counted_by_name(events);
  CHECK(counts["item"] == 3);
  CHECK(counts["failure"] == 1);
  const auto& last = events.back();
  CHECK(last["event"].get<std::string>() == "run_ended");
  CHECK(last["status"] == 1);
  CHECK(last["inputs"] == 3);
  CHECK(last["done"] == 2);
  CHECK(last["stages"].size() == 2);
  CHECK(last["slowest"].size() == 3);
}

TEST_CASE("a name that is not UTF-8 is JSON all the same, with its bytes beside it",
          "[cli][events]") {
  const Folder folder;
  const auto ended = Program({"run", "p.yaml", "--events", "log"}, folder.path()).wait();
  CHECK_THAT(ended.out, ContainsSubstring("3 files: 2 done, 1 failed"));
  const auto events = events_in(content_of(folder / "log"));
  const auto odd =
      std::ranges::find_if(events, [](const Json& event) { return event.contains("item_hex"); });
  REQUIRE(odd != events.end());
  CHECK((*odd)["item"] == "c\xef\xbf\xbd\"\n.txt");
  CHECK((*odd)["item_hex"] == "63ff220a2e747874");
}

TEST_CASE("a run that comes to nothing tells why in its last event", "[cli][events]") {
  const TemporaryFolder folder;
  folder.file("p.yaml",
              "version: 1\nstages:\n  - files: { path: away }\n  - write: { path: 'o/{path}' }\n");
  const auto ended = Program({"run", "p.yaml", "--json"}, folder.path()).wait();
  const auto events = events_in(ended.out);
  REQUIRE(events.size() == 2);
  CHECK(events[1]["status"] == ended.status);
  CHECK_THAT(events[1]["error"].get<std::string>(), ContainsSubstring("away"));
}

TEST_CASE("events to where they cannot go are refused, and a full disk is told", "[cli][events]") {
  const Folder folder;
  const auto refused = [&](const std::string& to) {
    const auto ended = Program({"run", "p.yaml", "--events", to}, folder.path()).wait();
    CHECK(ended.status == 2);
    return ended.err;
  };
  CHECK_THAT(refused("2"), ContainsSubstring("standard error is for messages"));
  CHECK_THAT(refused("77"), ContainsSubstring("--events 77: "));
  CHECK_THAT(refused("no/such/folder"), ContainsSubstring("--events no/such/folder: "));
  folder.file("in/b.txt", "x");
  const auto ended = Program({"run", "p.yaml", "--events", "/dev/full"}, folder.path()).wait();
  CHECK(ended.status == 1);
  CHECK_THAT(ended.out, ContainsSubstring("3 files: 3 done"));
  CHECK_THAT(ended.err, ContainsSubstring("the events cannot be written any more: "));
}

TEST_CASE("a reader that takes nothing is not waited for, and learns what it missed",
          "[cli][events]") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  const Descriptor from(ends[0]);
  const Plan plan;
  std::optional<EventLog> log(std::in_place, Descriptor(ends[1]), plan);
  const std::string large(100000, 'x');
  for (int i = 0; i < 180; ++i) log->failed({large, "s", ErrorKind::input, "r"});  // 18 MB
  CHECK(log->has_lost());
  CHECK_THAT(*log->complaint(), ContainsSubstring("too slow"));
  CHECK_FALSE(log->complaint());
  std::string text;
  std::atomic<std::size_t> taken = 0;
  std::jthread reader([&] {
    std::vector<char> buffer(1 << 16);
    for (ssize_t n = 0; (n = ::read(from.get(), buffer.data(), buffer.size())) > 0;
         taken += static_cast<std::size_t>(n))
      text.append(buffer.data(), static_cast<std::size_t>(n));
  });
  CHECK(eventually([&] { return taken > 5000000; }));
  log->end(Report(), 0);
  log.reset();
  reader.join();
  auto counts = counted_by_name(events_in(text));
  CHECK(counts["left_out"] == 1);
}

TEST_CASE("a reader that is gone costs the events and not the run", "[cli][events]") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  ::close(ends[0]);
  const Plan plan;
  EventLog log(Descriptor(ends[1]), plan);
  log.started();
  CHECK(eventually([&] { return log.has_lost(); }));
  CHECK_THAT(*log.complaint(), ContainsSubstring("cannot be written any more"));
  log.end(Report(), 0);
  CHECK(log.has_lost());
}
