// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/tally.hpp"

#include <string>

namespace millrace::inline v1 {

Outcome worst(unsigned outcomes) noexcept {
  for (const auto outcome : {Outcome::failed, Outcome::cancelled, Outcome::done, Outcome::skipped})
    if (outcomes & static_cast<unsigned>(outcome)) return outcome;
  return Outcome::cancelled;  // no token ever said a word
}

void Tally::end(Outcome outcome, std::size_t inputs) noexcept {
  switch (outcome) {
    case Outcome::done:
      progress_.done += inputs;
      break;
    case Outcome::skipped:
      progress_.skipped += inputs;
      break;
    case Outcome::cancelled:
      progress_.cancelled += inputs;
      break;
    case Outcome::failed:
      progress_.failed += inputs;
      break;
  }
}

void Tally::fill(Report& report) const {
  report.inputs = progress_.inputs;
  report.done = progress_.done;
  report.skipped = progress_.skipped;
  report.failed = progress_.failed;
  report.cancelled = progress_.cancelled;
  if (progress_.ended() != report.inputs)
    throw Error(ErrorKind::internal, std::to_string(report.inputs) + " inputs went in, but " +
                                         std::to_string(progress_.ended()) + " came out");
}

}  // namespace millrace::inline v1
