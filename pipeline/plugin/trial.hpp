// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// How millrace_probe, the program beside the library that opens plugins, ended.
struct Trial {
  bool in_time = false;
  int wait_status = 0;  ///< As of waitpid(2).

  /// Ended by exit(0).
  bool well() const noexcept { return in_time && wait_status == 0; }
  /// By what plugins do wrong; not by a signal that may have come from outside.
  bool by_its_own_fault() const noexcept;
  /// "crashes (Segmentation fault)", "ends the program (exit status 3)".
  std::string how(std::chrono::seconds patience) const;
};

/// Runs millrace_probe, its stderr left out where `quiet`, and gives every line that it says to
/// `heard`. It is killed when it says nothing for as long as `patience`. Throws Error (plugin)
/// where it cannot be started. Blocks. [any thread]
Trial run_probe(const std::vector<std::string>& arguments, bool quiet,
                std::chrono::seconds patience,
                const std::function<void(std::string_view line)>& heard);

}  // namespace millrace
