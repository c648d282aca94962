// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <set>

#include "config/keys.hpp"
#include "plan/draft.hpp"

namespace millrace::inline v1 {
namespace {

bool share_a_source(const Draft& draft, std::size_t a, std::size_t b) {
  const auto left = draft.sources_of(a), right = draft.sources_of(b);
  return std::ranges::any_of(left, [&](std::size_t source) { return right.contains(source); });
}

/// The path of a sink that names every item's file by itself; null where it does not: where the
/// extension is not fixed, that may be what keeps two files apart.
const Value* fixed_path(const Node& node) {
  if (!node.sound || !node.is_sink()) return nullptr;
  const auto* path = find_key(node.item.key.value, "path");
  return path && !node.made.stage->demand({}).extension.empty() ? &path->value : nullptr;
}

/// On how many ways the items of a source come to each node, two standing for more. An item comes
/// to a node done or failed, so what fails is no way of its own.
std::vector<int> ways_from(const Draft& draft, std::size_t source,
                           const std::vector<std::size_t>& order) {
  std::vector<int> ways(draft.nodes.size(), 0);
  ways[source] = 1;
  for (const std::size_t i : order)
    if (!draft.nodes[i].failed)
      for (const auto& input : draft.nodes[i].inputs)
        ways[i] = std::min(ways[i] + ways[input.node], 2);
  return ways;
}

/// What the file calls the stages from which a node, or one above it, takes an item twice.
std::string meeting_above(const Draft& draft, std::size_t node, const std::vector<int>& ways) {
  while (true) {
    std::vector<std::string> met;
    std::size_t above = node;
    for (const auto& input : draft.nodes[node].inputs) {
      if (ways[input.node] == 0) continue;
      above = input.node;
      const Node* from = &draft.nodes[input.node];
      while (from->inserted && !from->inputs.empty()) from = &draft.nodes[from->inputs[0].node];
      met.push_back(quote(from->id));
    }
    if (met.size() > 1 || above == node) return join(met, "and");
    node = above;
  }
}

void check_ways(const Draft& draft, Diagnostics& diagnostics) {
  const auto order = draft.order();
  for (std::size_t source = 0; source < draft.nodes.size(); ++source) {
    if (!draft.nodes[source].is_source()) continue;
    const auto ways = ways_from(draft, source, order);
    for (std::size_t i = 0; i < draft.nodes.size(); ++i)
      if (const auto* path = ways[i] > 1 ? fixed_path(draft.nodes[i]) : nullptr)
        diagnostics.error(Code::output_conflict, *path,
                          "every item of " + quote(draft.nodes[source].id) +
                              " comes here twice and would be written twice to " +
                              quote(path->text),
                          "by " + meeting_above(draft, i, ways) +
                              "; take from one of them, or give each a sink with another path");
  }
}

}  // namespace

void check_outputs(const Draft& draft, Diagnostics& diagnostics) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> same;
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    const Node& node = draft.nodes[i];
    const auto* path = fixed_path(node);
    if (!path) continue;
    auto& others = same[{node.item.name, path->text}];
    const auto meets = [&](std::size_t other) { return share_a_source(draft, other, i); };
    const auto first = std::ranges::find_if(others, meets);
    if (first != others.end())
      diagnostics.error(
          Code::output_conflict, *path, "two sinks write every item to " + quote(path->text),
          "the first is in line " + std::to_string(draft.nodes[*first].item.key.where.line) +
              "; give each a path of its own");
    others.push_back(i);
  }
  check_ways(draft, diagnostics);
}

}  // namespace millrace::inline v1
