// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/run_watch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#include "stages/support/atomic_file.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/program.hpp"

using namespace millrace;
using namespace millrace::cli;
using namespace millrace::testing;
using namespace std::chrono_literals;

namespace {

/// A child's standard error goes to a file, which is read here.
void say_into(const std::string& file) {
  if (!::freopen(file.c_str(), "w", stderr)) ::_exit(98);
}

}  // namespace

TEST_CASE("an interrupt stops admission at once and the work a little later", "[cli][signals]") {
  const auto interrupted = []() -> std::string {
    say_into("/dev/null");
    block_signals();
    const Shutdown shutdown;
    const Progress progress;
    Live live(progress, Showing::nothing, "item");
    RunWatch watch(shutdown, progress, live, {30s});
    ::kill(::getpid(), SIGINT);
    if (!eventually([&] { return shutdown.admission().done(); })) return "admission goes on";
    if (!eventually([&] { return shutdown.work().done(); })) return "work goes on";
    watch.stop();
    return "signal " + std::to_string(watch.signal());
  };
  // One that stands still for a second after the cancel is forced to end: it does not count.
  ChildResult result{128 + SIGINT, ""};
  for (int attempt = 0; attempt < 20 && result.status == 128 + SIGINT; ++attempt)
    result = in_child(interrupted);
  CHECK(result.status == 0);
  CHECK(result.text == "signal 2");
}

TEST_CASE("a request to end lets the work go on, and a second one does not", "[cli][signals]") {
  const auto result = in_child([]() -> std::string {
    say_into("/dev/null");
    block_signals();
    const Shutdown shutdown;
    const Progress progress;
    Live live(progress, Showing::nothing, "item");
    const RunWatch watch(shutdown, progress, live, {1h});
    ::kill(::getpid(), SIGTERM);
    if (!eventually([&] { return shutdown.admission().done(); })) return "admission goes on";
    if (shutdown.work().done()) return "work is cancelled";
    ::kill(::getpid(), SIGTERM);
    return eventually([&] { return shutdown.work().done(); }) ? "cancelled" : "work goes on";
  });
  CHECK(result.text == "cancelled");
}

TEST_CASE("what does not end in time is forced, and says what was at work", "[cli][signals]") {
  const TemporaryFolder folder;
  const auto result = in_child([&]() -> std::string {
    say_into(folder / "err");
    block_signals();
    const Shutdown shutdown;
    const Progress progress;
    Live live(progress, Showing::nothing, "item");
    const RunWatch watch(shutdown, progress, live, {100ms});
    const AtomicFile file(folder / "half", AtomicFile::Start::named);
    ::kill(::getpid(), SIGTERM);
    while (true) ::pause();
  });
  CHECK(result.status == 4);
  CHECK_THAT(content_of(folder / "err"), ContainsSubstring("forced to end; still at work"));
  CHECK(folder.names() == std::vector<std::string>{"err"});
}

TEST_CASE("a reader that does not read keeps nobody from the signals", "[cli][signals]") {
  const auto result = in_child([]() -> std::string {
    int ends[2];
    if (::pipe2(ends, O_NONBLOCK) != 0) return "no pipe";
    while (::write(ends[1], "x", 1) == 1) {
    }
    ::fcntl(ends[1], F_SETFL, 0);
    ::dup2(ends[1], STDERR_FILENO);
    block_signals();
    const Shutdown shutdown;
    const Progress progress;
    Live live(progress, Showing::nothing, "item");
    const RunWatch watch(shutdown, progress, live, {1h});
    for (const auto* context : {&shutdown.admission(), &shutdown.work()}) {
      ::kill(::getpid(), SIGTERM);
      if (!eventually([&] { return context->done(); })) return "a signal is not heard";
    }
    ::kill(::getpid(), SIGTERM);
    while (true) ::pause();
  });
  CHECK(result.status == 4);
}

TEST_CASE("when the watch has stopped a signal ends the program", "[cli][signals]") {
  const auto result = in_child([]() -> std::string {
    say_into("/dev/null");
    block_signals();
    const Shutdown shutdown;
    const Progress progress;
    Live live(progress, Showing::nothing, "item");
    RunWatch watch(shutdown, progress, live, {1h});
    watch.stop();
    std::signal(SIGTERM, SIG_DFL);  // not Catch2's
    ::kill(::getpid(), SIGTERM);
    return "goes on";
  });
  CHECK(result.status != 0);
  CHECK(result.text.empty());
}
