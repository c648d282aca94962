// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/live/terminal.hpp"

#include <fcntl.h>
#include <stdlib.h>  // NOLINT: posix_openpt
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>

#include "support/catch.hpp"
#include "support/napping.hpp"
#include "support/pseudo_terminal.hpp"

using namespace millrace;
using namespace millrace::cli;
using namespace millrace::testing;

namespace {

/// Both ends of a pseudo-terminal in this process.
struct Pair {
  Pair() {
    REQUIRE((::grantpt(master.get()) == 0 && ::unlockpt(master.get()) == 0));
    std::array<char, 128> name;
    REQUIRE(::ptsname_r(master.get(), name.data(), name.size()) == 0);
    slave = Descriptor(::open(name.data(), O_RDWR | O_NOCTTY));
    resize(80);
  }
  void resize(std::size_t columns) {
    screen();
    const winsize size{24, static_cast<unsigned short>(columns), 0, 0};
    REQUIRE(::ioctl(master.get(), TIOCSWINSZ, &size) == 0);
    text.resize(columns);
  }
  std::string screen() {
    std::array<char, 4096> buffer;
    for (ssize_t n = 0; (n = ::read(master.get(), buffer.data(), buffer.size())) > 0;)
      text.put({buffer.data(), static_cast<std::size_t>(n)});
    return text.text();
  }

  Descriptor master{::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)};
  Descriptor slave;
  ScreenText text{80};
};

std::vector<Line> block(std::size_t width, std::size_t lines) {
  std::vector<Line> drawn;
  for (std::size_t i = 0; i < lines; ++i)
    drawn.push_back(Line({.colours = false}, width).add(std::string(width, char('a' + i))));
  return drawn;
}

}  // namespace

TEST_CASE("a block is drawn in its place, with lines that stay above it", "[cli][terminal]") {
  Pair pair;
  Terminal terminal(pair.slave.get());
  terminal.draw("", block(3, 2));
  CHECK(pair.screen() == "aaa\nbbb\n");
  terminal.draw("", block(5, 3));
  CHECK(pair.screen() == "aaaaa\nbbbbb\nccccc\n");
  terminal.draw("one\ntwo\n", block(2, 1));
  CHECK(pair.screen() == "one\ntwo\naa\n");
  terminal.erase();
  CHECK(pair.screen() == "one\ntwo\n");
  terminal.erase();
  CHECK(pair.screen() == "one\ntwo\n");
}

TEST_CASE("what a narrower terminal has wrapped is taken away as well", "[cli][terminal]") {
  Pair pair;
  Terminal terminal(pair.slave.get());
  terminal.draw("stays\n", block(70, 3));
  pair.resize(30);
  terminal.draw("", block(20, 2));
  CHECK(pair.screen() == "stays\n" + std::string(20, 'a') + "\n" + std::string(20, 'b') + "\n");
  pair.resize(10);
  terminal.erase();
  CHECK(pair.screen() == "stays\n");
}

TEST_CASE("a terminal that takes nothing is not waited for", "[cli][terminal]") {
  Pair pair;
  Terminal terminal(pair.slave.get());
  for (int i = 0; i < 1000 && terminal.is_free(); ++i) terminal.draw("", block(79, 20));
  CHECK_FALSE(terminal.is_free());
  while (!terminal.is_free()) pair.screen();
  terminal.erase();
  CHECK(pair.screen() == "\n");
}

TEST_CASE("a run at a terminal is drawn while it goes on and leaves its summary alone",
          "[cli][terminal]") {
  const Napping run("until: naps/over");
  PseudoTerminal terminal({"run", "p.yaml"}, run.folder(), MILLRACE_NAP_FOLDER);
  REQUIRE(terminal.shows("0 of 12 files"));
  REQUIRE(terminal.shows("nap "));
  terminal.resize(60);
  CHECK(terminal.shows("0 of 12 files"));
  run.wake();
  CHECK(terminal.wait() == 0);
  const auto screen = terminal.screen();
  CHECK_THAT(screen, ContainsSubstring("12 files: 12 done in "));
  CHECK_THAT(screen, !ContainsSubstring("of 12 files"));
}

TEST_CASE("Ctrl-C takes the block away and tells how far the run came", "[cli][terminal]") {
  const Napping run("time: 1h");
  PseudoTerminal terminal({"run", "p.yaml"}, run.folder(), MILLRACE_NAP_FOLDER);
  REQUIRE(terminal.shows("0 of 12 files"));
  terminal.type("\x03");
  CHECK(terminal.wait() == 130);
  const auto screen = terminal.screen();
  CHECK_THAT(screen, ContainsSubstring("interrupted, stopping\n"));
  CHECK_THAT(screen, ContainsSubstring("12 files: 0 done, 12 not done"));
  CHECK_THAT(screen, !ContainsSubstring("of 12 files"));
}

TEST_CASE("what is forced to end takes the block away too", "[cli][terminal]") {
  const Napping run("time: 1h, stubborn: true");
  PseudoTerminal terminal({"run", "p.yaml"}, run.folder(), MILLRACE_NAP_FOLDER);
  REQUIRE(terminal.shows("0 of 12 files"));
  terminal.type("\x03");
  REQUIRE(terminal.shows("interrupted"));
  terminal.type("\x03");
  terminal.type("\x03");
  const int status = terminal.wait();
  INFO(status << "\n" << terminal.screen());
  CHECK((status == 4 || status == 130));  // the second comes when time has done what the third does
  const auto screen = terminal.screen();
  CHECK_THAT(screen, ContainsSubstring("12 files: 0 done, 12 not done"));
  CHECK_THAT(screen, !ContainsSubstring("of 12 files"));
}

TEST_CASE("Ctrl-Z gives the terminal back, and the block comes again with fg", "[cli][terminal]") {
  const Napping run("until: naps/over");
  PseudoTerminal terminal({"run", "p.yaml"}, run.folder(), MILLRACE_NAP_FOLDER);
  REQUIRE(terminal.shows("0 of 12 files"));
  terminal.type("\x1a");
  terminal.wait_for_stop();
  CHECK_THAT(terminal.screen(), !ContainsSubstring("of 12 files"));
  terminal.go_on();
  CHECK(terminal.shows("0 of 12 files"));
  run.wake();
  CHECK(terminal.wait() == 0);
  CHECK_THAT(terminal.screen(), ContainsSubstring("12 files: 12 done in "));
  CHECK_THAT(terminal.screen(), !ContainsSubstring("of 12 files"));
}
