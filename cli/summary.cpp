// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/summary.hpp"

#include <ostream>

#include "cli/console.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

std::string line_of(const Failure& failure) {
  std::string line = failure.item;
  if (!failure.stage.empty()) line += (line.empty() ? "" : ": ") + failure.stage;
  return printable(line + ": " + failure.message);
}

}  // namespace

void print_summary(std::ostream& out, const Report& report, const std::string& noun, bool quiet) {
  for (const auto& failure : report.failures) out << "failed: " << line_of(failure) << "\n";
  if (!report.gave_up.empty()) out << "stopped: " << printable(report.gave_up) << "\n";
  if (quiet) return;
  if (report.skipped > 0) {
    out << "skipped: " << counted(report.skipped, noun);
    if (!report.skips.empty())
      out << (report.skipped > 1 ? ", such as " : ", ") << line_of(report.skips.front());
    out << "\n";
  }
  out << counted(report.inputs, noun) << ": " << report.done << " done";
  if (report.skipped > 0) out << ", " << report.skipped << " skipped";
  if (report.failed > 0) out << ", " << report.failed << " failed";
  if (report.cancelled > 0) out << ", " << report.cancelled << " not done";
  out << " in " << elapsed_text(report.elapsed) << "\n";
}

}  // namespace millrace::cli
