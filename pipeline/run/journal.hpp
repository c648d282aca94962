// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "millrace/guarded.hpp"
#include "millrace/run.hpp"

namespace millrace::inline v1 {

/// Collects what a run has to say about its items, tells the observer, and gives it in the sources'
/// order whatever ended first. [any thread, at once]
class Journal {
 public:
  Journal(const Plan& plan, RunObserver* observer) : plan_(plan), observer_(observer) {}

  enum class Chapter { failures, warnings, skips };
  void write(Chapter chapter, const Origin& origin, std::size_t source, std::size_t stage,
             const Error& error);

  /// Moves everything into the report.
  void fill(Report& report);

 private:
  struct Entry {
    std::size_t source;
    std::uint64_t index;
    std::optional<std::uint32_t> page;
    std::size_t stage;
    Failure failure;
  };
  using Chapters = std::array<std::vector<Entry>, 3>;
  static std::vector<Failure> in_order(std::vector<Entry> entries);

  void tell(Chapter chapter, const Failure& failure) const noexcept;

  const Plan& plan_;
  RunObserver* const observer_;
  Guarded<Chapters> chapters_;
};

/// What is being handled, as the project's own error: a library's exception, memory that ran out,
/// or anything at all that a stage throws. Call it inside a catch block only.
Error error_in_flight();

}  // namespace millrace::inline v1
