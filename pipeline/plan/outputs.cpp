// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <set>

#include "config/keys.hpp"
#include "plan/draft.hpp"

namespace millrace::inline v1 {
namespace {

/// The sources whose items come to a node.
std::set<std::size_t> sources_of(const Draft& draft, std::size_t node) {
  std::set<std::size_t> seen{node}, sources;
  std::vector<std::size_t> open{node};
  while (!open.empty()) {
    const Node& at = draft.nodes[open.back()];
    if (at.is_source()) sources.insert(open.back());
    open.pop_back();
    for (const auto& input : at.inputs)
      if (seen.insert(input.node).second) open.push_back(input.node);
  }
  return sources;
}

bool share_a_source(const Draft& draft, std::size_t a, std::size_t b) {
  const auto left = sources_of(draft, a), right = sources_of(draft, b);
  return std::ranges::any_of(left, [&](std::size_t source) { return right.contains(source); });
}

}  // namespace

void check_outputs(const Draft& draft, Diagnostics& diagnostics) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> same;
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    const Node& node = draft.nodes[i];
    if (!node.sound || !node.is_sink()) continue;
    const auto* path = find_key(node.item.key.value, "path");
    // Where the sink does not fix the extension, it may be what keeps two files apart.
    if (!path || node.made.stage->demand({}).extension.empty()) continue;
    auto& others = same[{node.item.name, path->value.text}];
    const auto meets = [&](std::size_t other) { return share_a_source(draft, other, i); };
    const auto first = std::ranges::find_if(others, meets);
    if (first != others.end())
      diagnostics.error(path->value, "two sinks write every item to " + quote(path->value.text),
                        "the first is in line " +
                            std::to_string(draft.nodes[*first].item.key.where.line) +
                            "; give each a path of its own");
    others.push_back(i);
  }
}

}  // namespace millrace::inline v1
