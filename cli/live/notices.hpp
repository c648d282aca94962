// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "millrace/guarded.hpp"
#include "millrace/run.hpp"

namespace millrace::cli {

/// Lines on failures and warnings, from where they happen to where they are shown. So many may
/// wait; what comes while there are more is counted. [any thread, at once]
class Notices : public RunObserver {
 public:
  void failed(const Failure& failure) noexcept override;
  void warned(const Failure& warning) noexcept override;

  /// What came since the last call: whole lines, each fit to be shown.
  std::string take();
  /// Whether some were too many to wait.
  bool has_lost() const;

 private:
  struct Waiting {
    std::vector<std::string> lines;
    std::size_t more = 0;  // than there was room for
    bool has_lost = false;
  };
  void add(const char* kind, const Failure& what) noexcept;

  Guarded<Waiting> waiting_;
};

}  // namespace millrace::cli
