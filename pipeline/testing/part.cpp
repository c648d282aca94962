// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/part.hpp"

#include <algorithm>

namespace millrace::inline v1 {
namespace {

using Nodes = std::set<std::size_t>;

/// `node` and all that `next` leads to.
template <class Next>
Nodes reached(std::size_t node, const Next& next) {
  Nodes seen{node};
  std::vector<std::size_t> open{node};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    next(at, [&](std::size_t other) {
      if (seen.insert(other).second) open.push_back(other);
    });
  }
  return seen;
}

Nodes behind(const Draft& draft, std::size_t node) {
  return reached(node, [&](std::size_t at, const auto& go) {
    for (const auto* next : {&draft.nodes[at].outputs, &draft.nodes[at].failures})
      for (const std::size_t other : *next) go(other);
  });
}

Nodes before(const Draft& draft, std::size_t node) {
  return reached(node, [&](std::size_t at, const auto& go) {
    for (const auto& input : draft.nodes[at].inputs) go(input.node);
  });
}

Nodes all_of(const Draft& draft) {
  Nodes all;
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) all.insert(i);
  return all;
}

/// Makes of a draft what is to be run.
class Cutting {
 public:
  Cutting(Draft& draft, const TestCase& test, const Inputs& inputs,
          std::shared_ptr<Outputs> outputs)
      : draft_(draft), inputs_(inputs), outputs_(std::move(outputs)) {
    if (!test.from.empty()) from_ = find_id(draft, test.from);
    if (!test.to.empty()) to_ = find_id(draft, test.to);
  }

  void cut() {
    const auto kept = part_of(draft_, from_, to_);
    if (from_ && !draft_.nodes[*from_].is_source()) {
      Node& first = draft_.nodes[*from_];
      first.inputs.clear();
      first.lost_input = false;
    }
    leave(kept);
    give_inputs();
    for (std::size_t i = 0; i < draft_.nodes.size(); ++i)
      if (draft_.nodes[i].is_sink()) collect_at(i);
    draft_.find_failing();
    const std::size_t written = draft_.nodes.size();
    for (std::size_t i = 0; i < written; ++i)
      if (!draft_.nodes[i].is_sink() && draft_.nodes[i].outputs.empty()) end_at(i);
    draft_.find_failing();
  }

 private:
  void leave(const Nodes& kept) {
    std::vector<std::size_t> places(draft_.nodes.size());
    std::vector<Node> nodes;
    for (const std::size_t node : kept) {
      places[node] = nodes.size();
      nodes.push_back(std::move(draft_.nodes[node]));
    }
    for (Node& node : nodes) {
      std::erase_if(node.inputs, [&](const auto& input) { return !kept.contains(input.node); });
      for (auto& input : node.inputs) input.node = places[input.node];
      if (!node.failed) continue;
      Nodes named;
      for (const std::size_t stage : node.failed->named)
        if (kept.contains(stage)) named.insert(places[stage]);
      node.failed->named = std::move(named);
    }
    draft_.nodes = std::move(nodes);
    if (from_) from_ = places[*from_];
    if (to_) to_ = places[*to_];
  }

  void give_inputs() {
    const std::size_t written = draft_.nodes.size();
    for (std::size_t i = 0; i < written; ++i) {
      const bool is_first = i == from_;
      if (!is_first && !draft_.nodes[i].is_source()) continue;
      auto source = make_given_inputs(inputs_of(draft_.nodes[i].id));
      if (draft_.nodes[i].is_source()) {
        replace(draft_.nodes[i], std::move(source));
        continue;
      }
      const std::size_t added = add(i, "input", std::move(source));
      draft_.nodes[i].inputs = {{added, nullptr}};
    }
  }

  std::vector<Origin> inputs_of(const std::string& source) const {
    auto at = inputs_.find(source);
    if (at == inputs_.end()) at = inputs_.find("");
    return at == inputs_.end() ? std::vector<Origin>() : at->second;
  }

  /// What is not isolated in this test: stages of the test's own cannot be made in another process.
  static void replace(Node& node, std::unique_ptr<Stage> stage) {
    node.made.stage = std::move(stage);
    node.item.isolate.reset();
  }

  void collect_at(std::size_t i) {
    Node& node = draft_.nodes[i];
    Option* const path = node.made.options.find("path");
    // Only of this one is it known that it writes files and nothing else.
    const bool writes =
        path && node.entry && node.entry->name == "write" && node.entry->plugin.empty();
    if (writes) (void)path->assign(Value::scalar(outputs_->sandbox.inside(path->print())));
    const bool wanted = !to_ || to_ == i;
    replace(node, make_collector({std::move(node.made.stage), writes, i, node.id,
                                  wanted ? outputs_ : nullptr}));
  }

  void end_at(std::size_t i) {
    const std::size_t added =
        add(i, "output",
            make_collector({nullptr, false, i, draft_.nodes[i].id, to_ == i ? outputs_ : nullptr}));
    draft_.nodes[added].inputs.push_back({i, nullptr});
  }

  std::size_t add(std::size_t beside, const std::string& name, std::unique_ptr<Stage> stage) {
    Node node;
    node.item.name = name;
    node.item.key.where = draft_.nodes[beside].item.key.where;
    node.item.key.length = draft_.nodes[beside].item.key.length;
    node.made.stage = std::move(stage);
    node.inserted = true;
    node.id = draft_.ids.make(name);
    draft_.nodes.push_back(std::move(node));
    return draft_.nodes.size() - 1;
  }

  Draft& draft_;
  const Inputs& inputs_;
  const std::shared_ptr<Outputs> outputs_;
  std::optional<std::size_t> from_, to_;
};

}  // namespace

std::optional<std::size_t> find_id(const Draft& draft, const std::string& id) {
  for (std::size_t i = 0; i < draft.nodes.size(); ++i)
    if (!draft.nodes[i].inserted && draft.nodes[i].id == id) return i;
  return std::nullopt;
}

Nodes part_of(const Draft& draft, std::optional<std::size_t> from, std::optional<std::size_t> to) {
  auto nodes = from ? behind(draft, *from) : all_of(draft);
  if (!to) return nodes;
  const auto ways = before(draft, *to);
  std::erase_if(nodes, [&](std::size_t node) { return !ways.contains(node); });
  return nodes.contains(*to) ? nodes : Nodes();
}

std::vector<std::string> sources_among(const Draft& draft, const Nodes& nodes) {
  std::vector<std::string> ids;
  for (const std::size_t node : nodes)
    if (draft.nodes[node].is_source()) ids.push_back(draft.nodes[node].id);
  return ids;
}

void take_part(Draft& draft, const TestCase& test, const Inputs& inputs,
               const std::shared_ptr<Outputs>& outputs) {
  Cutting(draft, test, inputs, outputs).cut();
}

}  // namespace millrace::inline v1
