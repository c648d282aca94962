// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/stop_sequence.hpp"

#include <csignal>

#include "support/catch.hpp"

using namespace millrace;
using namespace millrace::cli;
using namespace std::chrono_literals;
using Step = StopSequence::Step;

namespace {

StopSequence::Time at(Duration time) { return StopSequence::Time{} + 1h + time; }

}  // namespace

TEST_CASE("an interrupt at the terminal cancels after a moment", "[cli][signals]") {
  StopSequence sequence(30s);
  CHECK_FALSE(sequence.next());
  CHECK(sequence.on_signal(SIGINT, at(0s)) == Step::draining);
  CHECK(sequence.next() == at(200ms));
  CHECK(sequence.on_time(at(199ms)) == Step::draining);
  CHECK(sequence.on_time(at(200ms)) == Step::cancelled);
  CHECK(sequence.on_time(at(899ms)) == Step::cancelled);
  CHECK(sequence.on_time(at(900ms)) == Step::forced);
  CHECK(sequence.signal() == SIGINT);
}

TEST_CASE("a request to end drains for three quarters of the time", "[cli][signals]") {
  StopSequence sequence(40s);
  CHECK(sequence.on_signal(SIGTERM, at(0s)) == Step::draining);
  CHECK(sequence.on_time(at(29s)) == Step::draining);
  CHECK(sequence.on_time(at(30s)) == Step::cancelled);
  CHECK(sequence.on_time(at(39s)) == Step::cancelled);
  CHECK(sequence.on_time(at(40s)) == Step::forced);
}

TEST_CASE("a second signal cancels and a third forces, whichever they are", "[cli][signals]") {
  StopSequence sequence(40s);
  sequence.on_signal(SIGTERM, at(0s));
  CHECK(sequence.on_signal(SIGINT, at(1s)) == Step::cancelled);
  CHECK(sequence.next() == at(11s));
  CHECK(sequence.on_signal(SIGTERM, at(2s)) == Step::forced);
  CHECK(sequence.signal() == SIGTERM);
}

TEST_CASE("a second interrupt after the cancel does not put the end off", "[cli][signals]") {
  StopSequence sequence(40s);
  sequence.on_signal(SIGINT, at(0s));
  sequence.on_time(at(300ms));
  CHECK(sequence.on_signal(SIGINT, at(400ms)) == Step::cancelled);
  CHECK(sequence.is_interrupt());
  CHECK(sequence.next() == at(900ms));
}

TEST_CASE("no time to shut down means the end at once", "[cli][signals]") {
  StopSequence sequence(0s);
  CHECK(sequence.on_signal(SIGTERM, at(0s)) == Step::forced);
}
