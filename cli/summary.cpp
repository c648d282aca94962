// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/summary.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>

#include "cli/console.hpp"
#include "cli/grouping.hpp"
#include "cli/live/line.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;

constexpr Duration worth_a_rate = 1s;
constexpr Duration worth_the_slowest = 5s;
constexpr std::size_t slowest_told = 3;

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

/// What the members of a group are: pages where each is one.
std::string noun_of(const FailureGroup& group, const std::string& noun) {
  const auto is_page = [](const Failure* failure) {
    const auto at = failure->item.rfind(" page ");
    return at != std::string::npos &&
           failure->item.find_first_not_of("0123456789", at + 6) == std::string::npos;
  };
  const auto pages = std::ranges::count_if(group.members, is_page);
  if (pages == 0) return noun;
  return static_cast<std::size_t>(pages) == group.members.size() ? "page" : "item";
}

void print_group(std::ostream& out, const char* kind, const FailureGroup& group,
                 const Telling& telling) {
  const auto count = group.members.size();
  if (count == 1) {
    out << kind << ": " << line_of(*group.members.front()) << "\n";
    return;
  }
  const Failure head{counted(count, noun_of(group, telling.noun)), group.stage, {}, group.message};
  out << kind << ": " << line_of(head) << "\n";
  const auto told = std::min(count, telling.names);
  for (std::size_t i = 0; i < told; ++i) {
    const Failure& member = *group.members[i];
    out << "  " << printable(member.item)
        << (group.is_the_same ? "" : ": " + printable(member.message)) << "\n";
  }
  if (told < count) out << "  and " << count - told << " more, told above\n";
}

void print_skips(std::ostream& out, const Report& report, const std::string& noun) {
  if (report.skipped == 0) return;
  out << "skipped: " << counted(report.skipped, noun);
  if (!report.skips.empty())
    out << (report.skipped > 1 ? ", such as " : ", ") << line_of(report.skips.front());
  out << "\n";
}

std::string share(Duration time, Duration whole) {
  const double part = whole > 0s ? seconds(time) / seconds(whole) : 0;
  return std::to_string(static_cast<int>(std::clamp(part, 0.0, 1.0) * 100 + 0.5)) + "%";
}

/// A line of cells that end at these columns, the first one at the left.
std::string row(const std::string& name, std::size_t width, const std::vector<std::string>& cells) {
  constexpr std::size_t cell_width = 10;
  Line line({.colours = false}, 200);
  line.to(2).add(cut(name, width, false));
  for (std::size_t i = 0; i < cells.size(); ++i)
    line.right(cells[i], 2 + width + (i + 1) * cell_width);
  return line.text() + "\n";
}

/// The shares are of the workers' time: what a stage works on another's is part of that one's.
void print_stages(std::ostream& out, const Report& report) {
  constexpr std::size_t shortest = 5, longest = 24;
  std::size_t width = shortest;
  for (const auto& stage : report.stages)
    width = std::max(width, std::min(longest, columns_of(printable(stage.id))));
  out << row("stage", width,
             {"done", "failed", "busy", "no input", "no room", "no CPU", "pausing"});
  for (const auto& stage : report.stages) {
    auto first = &stage;
    while (first->shares) first = &report.stages[*first->shares];
    const Duration all = report.elapsed * static_cast<Duration::rep>(first->workers);
    std::vector<std::string> cells{std::to_string(stage.done), std::to_string(stage.failed),
                                   share(stage.busy, all)};
    if (!stage.shares)
      for (const auto time :
           {stage.waiting_input, stage.waiting_output, stage.waiting_cpu, stage.pausing})
        cells.push_back(share(time, all));
    out << row(stage.id, width, cells);
  }
}

void print_slowest(std::ostream& out, const Report& report) {
  const auto count = std::min(slowest_told, report.slowest.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& item = report.slowest[i];
    out << "slowest: " << printable(item.item) << ": " << elapsed_text(item.elapsed);
    if (!item.stage.empty())
      out << ", of which " << elapsed_text(item.worked) << " in " << printable(item.stage);
    out << "\n";
  }
}

void print_whole(std::ostream& out, const Report& report, const std::string& noun) {
  out << counted(report.inputs, noun) << ": " << report.done << " done";
  if (report.skipped > 0) out << ", " << report.skipped << " skipped";
  if (report.failed > 0) out << ", " << report.failed << " failed";
  if (report.cancelled > 0) out << ", " << report.cancelled << " not done";
  out << " in " << elapsed_text(report.elapsed);
  const auto worked = report.done + report.failed;
  if (worked > 1 && report.elapsed >= worth_a_rate)
    out << ", " << rate_text(static_cast<double>(worked) / seconds(report.elapsed));
  out << "\n";
}

}  // namespace

std::string line_of(const Failure& failure) {
  std::string line = failure.item;
  if (!failure.stage.empty()) line += (line.empty() ? "" : ": ") + failure.stage;
  return printable(line + ": " + failure.message);
}

void print_groups(std::ostream& out, const char* kind, const std::vector<Failure>& failures,
                  const Telling& telling) {
  for (const auto& group : grouped(failures)) print_group(out, kind, group, telling);
}

void print_summary(std::ostream& out, const Report& report, const Telling& telling) {
  print_groups(out, "failed", report.failures, telling);
  if (!report.gave_up.empty()) out << "stopped: " << printable(report.gave_up) << "\n";
  if (telling.quiet) return;
  print_skips(out, report, telling.noun);
  if (telling.table) print_stages(out, report);
  if (report.elapsed >= worth_the_slowest && report.inputs > slowest_told)
    print_slowest(out, report);
  print_whole(out, report, telling.noun);
}

}  // namespace millrace::cli
