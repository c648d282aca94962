// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/plan/graph.hpp"
#include "stages/support/printable.hpp"

namespace millrace::cli {
namespace {

/// Rows below one another, with a lane for each stage that is still to come and has got an edge:
/// every further edge to it joins that lane, so that none has to be merged in front of it.
class Drawing {
 public:
  explicit Drawing(const Plan& plan) : plan_(plan) {}

  std::string draw() {
    for (std::size_t i = 0; i < plan_.stages.size(); ++i) draw(i);
    return std::move(text_);
  }

 private:
  void draw(std::size_t stage) {
    const auto& planned = plan_.stages[stage];
    const auto known = lane_of(stage);
    const auto lane = known ? *known : free_lane();
    lanes_[lane] = stage;
    auto row = lanes();
    row[2 * lane] = '*';
    auto title = printable(planned.id);
    if (planned.id != planned.name && !planned.takes_failures) title += " (" + planned.name + ")";
    add(row, title + (planned.inserted ? " +" : ""));
    lanes_[lane].reset();

    auto targets = planned.outputs;
    targets.insert(targets.end(), planned.failures.begin(), planned.failures.end());
    // The first that has no lane goes on in this one.
    const auto next = std::ranges::find_if(targets, [&](auto to) { return !lane_of(to); });
    if (next != targets.end()) {
      lanes_[lane] = *next;
      targets.erase(next);
    }
    std::string label = planned.outputs.empty() ? "" : name_of(planned.stage->gives().value());
    if (!planned.outputs.empty() && targets.empty()) add(lanes(), label);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      add(connect(lane, targets[i], i + 1 == targets.size()), label);
      label.clear();
    }
  }

  /// A line from a lane to that of a target, which begins there if it has none.
  std::string connect(std::size_t from, std::size_t target, bool is_last) {
    const auto known = lane_of(target);
    const auto to = known ? *known : free_lane();
    const bool goes_on = lanes_[from].has_value() || !is_last;
    lanes_[to] = target;
    auto row = lanes();
    const bool fails = plan_.stages[target].takes_failures;
    for (auto at = 2 * std::min(from, to) + 1; at < 2 * std::max(from, to); ++at)
      if (row[at] == ' ') row[at] = fails ? '.' : '-';
    row[2 * from] = goes_on ? '+' : '\'';
    row[2 * to] = known ? '+' : '.';
    return row;
  }

  std::optional<std::size_t> lane_of(std::size_t stage) const {
    const auto lane = std::ranges::find(lanes_, std::optional(stage));
    if (lane == lanes_.end()) return std::nullopt;
    return static_cast<std::size_t>(lane - lanes_.begin());
  }

  std::size_t free_lane() {
    const auto lane = std::ranges::find(lanes_, std::optional<std::size_t>());
    const auto at = static_cast<std::size_t>(lane - lanes_.begin());
    if (lane == lanes_.end()) lanes_.emplace_back();
    return at;
  }

  std::string lanes() const {
    std::string row(2 * lanes_.size(), ' ');
    for (std::size_t i = 0; i < lanes_.size(); ++i)
      if (lanes_[i]) row[2 * i] = plan_.stages[*lanes_[i]].takes_failures ? ':' : '|';
    return row;
  }

  void add(std::string row, const std::string& label) {
    row += label;
    row.erase(row.find_last_not_of(' ') + 1);
    text_ += row + "\n";
  }

  const Plan& plan_;
  std::vector<std::optional<std::size_t>> lanes_;  // the stage that each leads to
  std::string text_;
};

}  // namespace

std::string graph_text(const Plan& plan) {
  std::string legend;
  if (std::ranges::any_of(plan.stages, &PlannedStage::inserted)) legend += "+ put in by Millrace\n";
  if (std::ranges::any_of(plan.stages, &PlannedStage::takes_failures)) legend += ": what fails\n";
  return Drawing(plan).draw() + (legend.empty() ? "" : "\n") + legend;
}

}  // namespace millrace::cli
