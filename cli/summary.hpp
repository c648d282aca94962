// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

#include "millrace/run.hpp"

namespace millrace::cli {

/// How much is told of a run that is over.
struct Telling {
  std::string noun = "item";  ///< What is counted.
  bool quiet = false;         ///< Only what failed.
  bool table = false;         ///< A row for each stage.
  /// Of the items that failed for one reason, so many are named.
  std::size_t names = std::numeric_limits<std::size_t>::max();
};

/// What a run has come to, for people: what failed, by reason; the stages; the slowest items of a
/// run that took its time; and the whole on the last line.
void print_summary(std::ostream& out, const Report& report, const Telling& telling);

/// Failures or warnings by reason: a line for one item, for several a line and their names.
void print_groups(std::ostream& out, const char* kind, const std::vector<Failure>& failures,
                  const Telling& telling);

/// "a.jpg: decode: it is empty", fit for a terminal.
std::string line_of(const Failure& failure);

}  // namespace millrace::cli
