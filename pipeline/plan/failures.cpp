// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "plan/draft.hpp"
#include "plan/failed_inputs.hpp"

namespace millrace::inline v1 {
namespace {

/// A node and all that its items come to, done or failed.
std::set<std::size_t> downstream_of(const Draft& draft, std::size_t node) {
  std::set<std::size_t> seen{node};
  std::vector<std::size_t> open{node};
  while (!open.empty()) {
    const Node& at = draft.nodes[open.back()];
    open.pop_back();
    for (const auto* next : {&at.outputs, &at.failures})
      for (const std::size_t other : *next)
        if (seen.insert(other).second) open.push_back(other);
  }
  return seen;
}

/// The named stages and the converters in front of them: to the file they are one item.
std::set<std::size_t> with_converters(const Draft& draft, const std::set<std::size_t>& named) {
  std::set<std::size_t> all = named;
  for (const std::size_t node : named)
    for (const auto& input : draft.nodes[node].inputs) {
      const Node& from = draft.nodes[input.node];
      if (from.inserted && !from.failed) all.insert(input.node);
    }
  return all;
}

/// Sources are not among them: what they cannot open cannot be opened again either.
std::set<std::size_t> all_but(const Draft& draft, const std::set<std::size_t>& left_out) {
  std::set<std::size_t> all;
  for (std::size_t i = 0; i < draft.nodes.size(); ++i)
    if (!left_out.contains(i) && !draft.nodes[i].is_source()) all.insert(i);
  return all;
}

std::string ids_of(const Draft& draft, const std::set<std::size_t>& nodes) {
  std::vector<std::string> ids;
  for (const std::size_t node : nodes) ids.push_back(quote(draft.nodes[node].id));
  return join(ids, "and");
}

/// Where the file asks for these inputs.
const Value& asked_at(const Draft& draft, std::size_t failed) {
  const Node& taker = draft.nodes[draft.nodes[failed].outputs.front()];
  return *std::ranges::find(taker.inputs, failed, &Node::Input::node)->where;
}

}  // namespace

void Draft::find_failing() {
  link();  // what is known of them so far: those that name their stages
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].failed) continue;
    const auto& named = nodes[i].failed->named;
    nodes[i].inputs.clear();
    for (const std::size_t node :
         named.empty() ? all_but(*this, downstream_of(*this, i)) : with_converters(*this, named))
      nodes[i].inputs.push_back({node, nullptr});
  }
  link();
}

std::set<std::size_t> Draft::sources_of(std::size_t node) const {
  std::set<std::size_t> seen{node}, sources;
  std::vector<std::size_t> open{node};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (nodes[at].is_source()) sources.insert(at);
    for (const auto& input : nodes[at].inputs)
      if (seen.insert(input.node).second) open.push_back(input.node);
  }
  return sources;
}

void make_failed_inputs(Draft& draft, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    Node& node = draft.nodes[i];
    if (!node.failed) continue;
    for (const std::size_t named : node.failed->named)
      if (draft.nodes[named].is_source()) {
        node.sound = false;
        diagnostics.error(Code::from_conflict, asked_at(draft, i),
                          quote(draft.nodes[named].id) +
                              " is a source: what it cannot open cannot be given to anybody",
                          "name a stage behind it, or take what fails at any: from: \"*.failed\"");
      }
    const auto sources = draft.sources_of(i);
    std::set<PayloadKind> kinds;
    std::vector<std::string> names;
    for (const std::size_t source : sources)
      if (const auto kind = draft.nodes[source].made.stage->gives())
        if (kinds.insert(*kind).second) names.emplace_back(name_of(*kind));
    node.sound = node.sound && kinds.size() == 1;
    if (kinds.size() == 1)
      node.made.stage = std::make_unique<FailedInputs>(*kinds.begin());
    else if (!kinds.empty())
      diagnostics.error(Code::kind_mismatch, asked_at(draft, i),
                        quote(node.failed->written) + " would be " + join(names, "and") +
                            ": the sources " + ids_of(draft, sources) + " differ in what they give",
                        "name a stage that only one of them reaches: from: \"ID.failed\"");
  }
}

}  // namespace millrace::inline v1
