// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "millrace/pipeline.hpp"

namespace millrace::cli {

/// A file that was checked, with all that was found.
struct CheckedFile {
  std::string name;  ///< As it was given, or found below what was.
  std::string text;
  std::vector<Diagnostic> diagnostics;
  std::size_t pipelines = 0;
  std::size_t stages = 0;  ///< Of its one pipeline; 0 where there are more or it is broken.
  std::vector<std::string> to_set;  ///< Variables that a run must be given with --set.

  std::size_t count(Diagnostic::Severity severity) const;
  bool is_fine() const { return count(Diagnostic::Severity::error) == 0; }
};

/// The files that the arguments of `check` stand for: a file, `-`, a pattern, or a folder, in which
/// every YAML file that is a pipeline counts. What stands for nothing is kept as it is.
std::vector<std::string> files_meant(const std::vector<std::string>& arguments);

/// Reads and checks a file; in Markdown every block of YAML that is a pipeline. What cannot be read
/// is a diagnostic as well.
CheckedFile check_file(const std::string& name, const std::map<std::string, std::string>& sets);

}  // namespace millrace::cli
