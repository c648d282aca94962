// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/tally.hpp"

#include <string>

namespace millrace::inline v1 {

Ending worst(unsigned outcomes) noexcept {
  for (const auto outcome : {Ending::failed, Ending::cancelled, Ending::done, Ending::skipped})
    if (outcomes & static_cast<unsigned>(outcome)) return outcome;
  return Ending::cancelled;  // no token ever said a word
}

void Tally::end(Ending outcome, std::size_t inputs) noexcept {
  switch (outcome) {
    case Ending::done:
      progress_.done += inputs;
      break;
    case Ending::skipped:
      progress_.skipped += inputs;
      break;
    case Ending::cancelled:
      progress_.cancelled += inputs;
      break;
    case Ending::failed:
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
