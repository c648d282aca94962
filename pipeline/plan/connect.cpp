// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>

#include "config/keys.hpp"
#include "millrace/nearest.hpp"
#include "plan/draft.hpp"

namespace millrace::inline v1 {
namespace {

class Connector {
 public:
  Connector(Draft& draft, Prototypes& prototypes, Diagnostics& diagnostics)
      : nodes_(draft.nodes), draft_(draft), prototypes_(prototypes), diagnostics_(diagnostics) {}

  void connect() {
    give_ids();
    for (std::size_t i = 0; i < nodes_.size(); ++i) find_inputs(i);
    draft_.link();
    check_cycles();
    for (const Node& node : nodes_) check_taken(node);
  }

 private:
  void give_ids() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Value& id = nodes_[i].item.id;
      if (id.kind != Value::Kind::scalar) continue;
      const auto [first, is_new] = ids_.emplace(id.text, i);
      nodes_[i].id = id.text;
      draft_.ids.take(id.text);
      if (!is_new)
        diagnostics_.error(
            id, "the id " + quote(id.text) + " is taken",
            "the first is in line " + std::to_string(nodes_[first->second].item.id.where.line));
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = nodes_[i];
      if (!node.id.empty() || node.item.key.key.empty()) continue;
      node.id = draft_.ids.make(node.item.key.key);
      ids_.emplace(node.id, i);
      if (node.id != node.item.key.key) repeated_[node.item.key.key] = true;
    }
  }

  void find_inputs(std::size_t i) {
    Node& node = nodes_[i];
    node.lost_input = node.item.lost_from;
    if (node.is_source()) return check_source(node);
    if (node.item.has_from) {
      for (const Value& id : node.item.from) add_named(node, id);
      if (node.inputs.empty()) node.lost_input = true;
      return;
    }
    if (i == 0) return refuse_first(node);
    const Node& before = nodes_[i - 1];
    if (before.is_sink()) return refuse_after_sink(node, before);
    node.inputs.push_back({i - 1, nullptr});
  }

  void check_source(const Node& node) {
    if (node.item.has_from && !node.item.from.empty())
      diagnostics_.error(node.item.from[0],
                         quote(node.item.name) + " is a source and takes no input",
                         "remove 'from'");
    if (node.item.queue_key)
      diagnostics_.error(*node.item.queue_key,
                         quote(node.item.name) + " is a source: there is no queue in front of it",
                         "remove 'queue', or set it at the stage that comes next");
  }

  void add_named(Node& node, const Value& id) {
    const auto found = ids_.find(id.text);
    if (found == ids_.end()) return refuse_dangling(node, id);
    const Node& from = nodes_[found->second];
    if (from.is_sink()) {
      node.lost_input = true;
      return diagnostics_.error(id, quote(id.text) + " is a sink: nothing can be taken from it",
                                "take from the stage in front of it");
    }
    const auto same = [&](const Node::Input& input) { return input.node == found->second; };
    if (std::ranges::any_of(node.inputs, same))
      return diagnostics_.error(id, quote(id.text) + " is named twice", "remove one");
    if (repeated_.contains(id.text) && from.item.id.kind == Value::Kind::null)
      diagnostics_.warning(id,
                           "there are several stages " + quote(id.text) +
                               " without an id; this takes from the first, in line " +
                               std::to_string(from.item.key.where.line),
                           "give it an 'id'");
    node.inputs.push_back({found->second, &id});
  }

  void refuse_dangling(Node& node, const Value& id) {
    node.lost_input = true;
    std::vector<std::string> names;
    for (const auto& [name, i] : ids_)
      if (!nodes_[i].is_sink()) names.push_back(name);
    const auto meant = nearest(id.text, names);
    if (meant)
      guessed_.push_back(ids_.at(*meant));
    else
      lost_anything_ = true;
    const auto* entry = prototypes_.find(id.text);
    const bool is_converter = entry && entry->role == Role::converter;
    diagnostics_.error(id, "no stage has the id " + quote(id.text),
                       is_converter ? "a " + quote(id.text) +
                                          " that is put in by itself has no name here; write it "
                                          "as a stage"
                       : meant ? "did you mean " + quote(*meant) + "?"
                               : "the ids are " + join(names, "and"));
  }

  void refuse_first(Node& node) {
    node.lost_input = true;
    if (!node.made.stage) return;
    const auto sources = prototypes_.sources();
    const bool any = std::ranges::any_of(nodes_, [](const Node& n) { return n.is_source(); });
    diagnostics_.error(node.item.key,
                       quote(node.item.name) + " needs an input, but no stage is before it" +
                           (any ? "" : ", and no stage of this pipeline is a source"),
                       any ? "take from another stage with 'from', or begin with a source"
                       : sources.empty() ? "begin with a source"
                                         : "begin with a source, such as " + join(sources, "or"));
  }

  void refuse_after_sink(Node& node, const Node& sink) {
    node.lost_input = true;
    if (!node.made.stage) return;
    std::string example;
    for (const Node& other : nodes_)
      if (&other == &sink)
        break;
      else if (!other.is_sink() && !other.id.empty())
        example = other.id;
    diagnostics_.error(node.item.key,
                       "the stage before " + quote(node.item.name) + ", " + quote(sink.item.name) +
                           ", is a sink and gives nothing",
                       "name its input with 'from'" +
                           (example.empty() ? "" : ", such as from: " + example) +
                           ", or begin a new chain with a source");
  }

  void check_taken(const Node& node) {
    if (!node.made.stage || node.is_sink() || !node.outputs.empty()) return;
    const auto index = static_cast<std::size_t>(&node - nodes_.data());
    const bool lost = std::ranges::any_of(nodes_, &StageItem::lost_from, &Node::item);
    if (lost || lost_anything_ || std::ranges::count(guessed_, index) > 0) return;
    diagnostics_.error(
        node.item.key, "nothing takes what " + node.title() + " gives",
        "end the chain with a sink, or take from " + quote(node.id) + " with 'from'");
  }

  void check_cycles();
  void tell_cycle(const std::vector<std::size_t>& path);

  std::vector<Node>& nodes_;
  Draft& draft_;
  Prototypes& prototypes_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::size_t> ids_;
  std::map<std::string, bool> repeated_;  // stage names that several stages bear without an id
  std::vector<std::size_t> guessed_;      // what a dangling `from` probably means
  bool lost_anything_ = false;            // a `from` may mean any stage
};

/// Walks up the inputs, depth first; an input that is still being visited closes a cycle.
void Connector::check_cycles() {
  enum class State { unseen, open, closed };
  std::vector<State> states(nodes_.size(), State::unseen);
  for (std::size_t root = 0; root < nodes_.size(); ++root) {
    if (states[root] != State::unseen) continue;
    std::vector<std::size_t> path{root}, next{0};
    states[root] = State::open;
    while (!path.empty()) {
      const auto& inputs = nodes_[path.back()].inputs;
      if (next.back() == inputs.size()) {
        states[path.back()] = State::closed;
        path.pop_back();
        next.pop_back();
        continue;
      }
      const std::size_t input = inputs[next.back()++].node;
      if (states[input] == State::open) tell_cycle({std::ranges::find(path, input), path.end()});
      if (states[input] != State::unseen) continue;
      states[input] = State::open;
      path.push_back(input);
      next.push_back(0);
    }
  }
}

/// `path`: each reads from the next, and the last from the first.
void Connector::tell_cycle(const std::vector<std::size_t>& path) {
  const Value* where = nullptr;
  std::string names = quote(nodes_[path[0]].id);
  for (std::size_t i = 0; i < path.size(); ++i) {
    Node& node = nodes_[path[i]];
    node.sound = false;
    const std::size_t from = path[(i + 1) % path.size()];
    names = quote(nodes_[from].id) + " -> " + names;
    for (const auto& input : node.inputs)
      if (input.node == from && from >= path[i]) where = input.where;
  }
  // Some stage must read from itself or a later one, and only `from` can say so.
  if (path.size() == 1)
    diagnostics_.error(*where, quote(nodes_[path[0]].id) + " takes from itself",
                       "take from another stage");
  else
    diagnostics_.error(*where, "the stages go round in a circle: " + names,
                       "take from a stage that does not depend on this one");
}

}  // namespace

std::string Node::title() const {
  const auto name = quote(item.name);
  return id == item.name ? name : name + " (" + id + ")";
}

void Draft::link() {
  for (Node& node : nodes) node.outputs.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const auto& input : nodes[i].inputs) nodes[input.node].outputs.push_back(i);
}

std::vector<std::size_t> Draft::order() const {
  std::vector<std::size_t> order, missing(nodes.size());
  std::vector<std::size_t> ready;  // as a heap: the first of the file is taken first
  const auto place = [&](std::size_t i) {
    // An inserted converter stands just before the stage that it was put in for.
    return std::pair(nodes[i].item.key.where.line, nodes[i].item.key.where.column);
  };
  const auto later = [&](std::size_t a, std::size_t b) {
    return std::tuple(place(a), !nodes[a].inserted, a) >
           std::tuple(place(b), !nodes[b].inserted, b);
  };
  const auto add = [&](std::size_t i) {
    ready.push_back(i);
    std::ranges::push_heap(ready, later);
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    missing[i] = nodes[i].inputs.size();
    if (missing[i] == 0) add(i);
  }
  while (!ready.empty()) {
    std::ranges::pop_heap(ready, later);
    const std::size_t node = ready.back();
    ready.pop_back();
    order.push_back(node);
    for (const std::size_t output : nodes[node].outputs)
      if (--missing[output] == 0) add(output);
  }
  return order;
}

void connect(Draft& draft, Prototypes& prototypes, Diagnostics& diagnostics) {
  Connector(draft, prototypes, diagnostics).connect();
}

}  // namespace millrace::inline v1
