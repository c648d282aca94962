// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/tally.hpp"

#include <new>
#include <string>
#include <utility>

namespace millrace::inline v1 {

Ending worst(unsigned outcomes) noexcept {
  for (const auto outcome : {Ending::failed, Ending::cancelled, Ending::done, Ending::skipped})
    if (outcomes & static_cast<unsigned>(outcome)) return outcome;
  return Ending::cancelled;  // no token ever said a word
}

void Tally::end(const Journey& journey) noexcept {
  const bool is_slow =
      journey.ending != Ending::cancelled && slowest_.has_place_for(journey.elapsed);
  try {
    if (is_slow || observer_) tell(journey, is_slow);
  } catch (const std::bad_alloc&) {
    // What is told of it is not worth a run that could go on.
  }
  count(journey.ending);
}

void Tally::tell(const Journey& journey, bool is_slow) {
  ItemEnd end{journey.origin.label(), journey.ending, journey.elapsed,
              journey.stage ? plan_.stages[*journey.stage].id : std::string(), journey.worked};
  if (observer_) observer_->ended(end);
  if (is_slow) slowest_.add(std::move(end));
}

void Tally::count(Ending ending) noexcept {
  switch (ending) {
    case Ending::done:
      ++progress_.done;
      break;
    case Ending::skipped:
      ++progress_.skipped;
      break;
    case Ending::cancelled:
      ++progress_.cancelled;
      break;
    case Ending::failed:
      ++progress_.failed;
      break;
  }
}

void Tally::fill(Report& report) const {
  report.inputs = progress_.inputs;
  report.done = progress_.done;
  report.skipped = progress_.skipped;
  report.failed = progress_.failed;
  report.cancelled = progress_.cancelled;
  report.slowest = slowest_.all();
  if (progress_.ended() != report.inputs)
    throw Error(ErrorKind::internal, std::to_string(report.inputs) + " inputs went in, but " +
                                         std::to_string(progress_.ended()) + " came out");
}

}  // namespace millrace::inline v1
