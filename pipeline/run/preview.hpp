// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// What a run of a plan would read and write, as far as that is known without running it.
struct Preview {
  struct Input {
    std::size_t stage = 0;  ///< The source's index in the plan.
    NameEnds items;
    std::uint64_t bytes = 0;            ///< Of the items that are files.
    std::vector<std::string> failures;  ///< `name: why` of the first few that cannot be listed.
    std::size_t failed = 0;
    bool refused = false;  ///< It cannot list at all; `error` says why.
  };

  /// What the items under way take. Estimates come from the files' heads: of all items, or where
  /// there are many, of the largest files and of some others.
  struct Memory {
    std::uint64_t budget = 0;  ///< Bytes that they may take together.
    std::size_t window = 0;    ///< How many there may be.
    std::size_t estimated = 0;
    std::uint64_t largest = 0;  ///< Bytes of the item that takes most; 0: not known.
    std::string largest_item;

    /// How many of the largest can be under way at once: at least one, which then runs alone.
    std::size_t at_once() const noexcept;
  };

  struct Output {
    std::size_t stage = 0;  ///< The sink's index.
    OutputForecast forecast;
    bool of_failures = false;  ///< For inputs that fail: as many files or fewer.
  };

  std::vector<Input> inputs;
  Memory memory;
  std::vector<Output> outputs;       ///< Of the sinks that know them beforehand.
  std::optional<Error> error;        ///< What the run would throw: all that keeps it from starting.
  std::size_t failed = 0;            ///< Inputs that would fail for certain: they cannot be listed.
  bool stopped_by_on_error = false;  ///< By those alone.
};

/// Lists the inputs and asks the sinks, as run() does before it starts, and looks at the files'
/// sizes. Changes no file and makes no folder. What keeps the run from starting is in the result,
/// all of it. Throws Error (cancelled) when the context ends. Blocks as long as the disk takes: a
/// few microseconds for each item, and an open file for each estimate. [one thread for a plan]
Preview preview(const Plan& plan, const Context& context);

}  // namespace millrace::inline v1
