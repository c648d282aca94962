// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/program.hpp"

namespace millrace::testing {

/// A folder with a pipeline that a test interrupts: twelve files are written to `early/`, and two
/// at a time after a nap to `late/`.
class Napping {
 public:
  /// The options of the nap, and the run's settings.
  explicit Napping(const std::string& nap, const std::string& run = "shutdown_timeout: 1h");

  Program start() const;
  const std::filesystem::path& folder() const { return folder_.path(); }
  /// Throws, with what the program said, when so many naps do not begin.
  void wait_for_naps(const Program& program, std::size_t count) const;
  /// Ends the naps whose option `until` is `naps/over`.
  void wake() const { folder_.file("naps/over"); }

  std::vector<std::string> written(std::string_view part) const;
  /// What is there that should not be: a part of a file, a hidden temporary.
  std::vector<std::string> litter() const;
  /// As before the first start.
  void clear() const;

 private:
  TemporaryFolder folder_;
};

}  // namespace millrace::testing
