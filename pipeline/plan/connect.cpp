// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>

#include "config/keys.hpp"
#include "millrace/nearest.hpp"
#include "plan/draft.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::string_view failed_suffix = ".failed";

bool means_failures(const Value& id) { return id.text.ends_with(failed_suffix); }

class Connector {
 public:
  Connector(Draft& draft, Prototypes& prototypes, Diagnostics& diagnostics)
      : nodes_(draft.nodes), draft_(draft), prototypes_(prototypes), diagnostics_(diagnostics) {}

  void connect() {
    give_ids();
    const std::size_t written = nodes_.size();
    for (std::size_t i = 0; i < written; ++i) find_inputs(i);
    for (std::size_t i = 0; i < written; ++i) take_failures(i);
    draft_.find_failing();
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
            Code::duplicate_id, id, "the id " + quote(id.text) + " is taken",
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
      for (const Value& id : node.item.from)
        if (!means_failures(id)) add_named(node, id);
      return;
    }
    if (i == 0) return refuse_first(node);
    const Node& before = nodes_[i - 1];
    if (before.is_sink()) return refuse_after_sink(node, before);
    node.inputs.push_back({i - 1, nullptr});
  }

  void check_source(const Node& node) {
    if (node.item.has_from && !node.item.from.empty())
      diagnostics_.error(Code::source_input, node.item.from[0],
                         quote(node.item.name) + " is a source and takes no input",
                         "remove 'from'");
    if (node.item.queue_key)
      diagnostics_.error(Code::setting_conflict, *node.item.queue_key,
                         quote(node.item.name) + " is a source: there is no queue in front of it",
                         "remove 'queue', or set it at the stage that comes next");
  }

  void add_named(Node& node, const Value& id) {
    const auto found = find(node, id, id.text);
    if (!found) return;
    if (nodes_[*found].is_sink()) {
      node.lost_input = true;
      return diagnostics_.error(Code::sink_input, id,
                                quote(id.text) + " is a sink: nothing can be taken from it",
                                "take from the stage in front of it");
    }
    const auto same = [&](const Node::Input& input) { return input.node == *found; };
    if (std::ranges::any_of(node.inputs, same))
      return diagnostics_.error(Code::from_conflict, id, quote(id.text) + " is named twice",
                                "remove one");
    node.inputs.push_back({*found, &id});
  }

  /// The stage that `id` names, of which `name` is the part that is an id.
  std::optional<std::size_t> find(Node& node, const Value& id, const std::string& name) {
    const auto found = ids_.find(name);
    if (found == ids_.end()) {
      refuse_dangling(node, id, name);
      return std::nullopt;
    }
    const Node& from = nodes_[found->second];
    if (repeated_.contains(name) && from.item.id.kind == Value::Kind::null && !from.is_sink())
      diagnostics_.warning(Code::ambiguous_id, id,
                           "there are several stages " + quote(name) +
                               " without an id; this takes from the first, in line " +
                               std::to_string(from.item.key.where.line),
                           "give it an 'id'");
    return found->second;
  }

  /// Inputs that failed, of the ids in `from` that end with `.failed`.
  void take_failures(std::size_t i) {
    std::vector<const Value*> ids;
    if (!nodes_[i].is_source())
      for (const Value& id : nodes_[i].item.from)
        if (means_failures(id)) ids.push_back(&id);
    if (ids.empty()) return;
    if (ids.size() < nodes_[i].item.from.size()) return refuse_mixture(nodes_[i], *ids[0]);
    Node::Failed failed;
    bool anywhere = false;
    for (const Value* id : ids) {
      const auto name = id->text.substr(0, id->text.size() - failed_suffix.size());
      anywhere = anywhere || name == "*";
      const auto stage = name == "*" ? std::nullopt : find(nodes_[i], *id, name);
      if (name != "*" && !stage) continue;
      if (stage && !failed.named.insert(*stage).second)
        diagnostics_.error(Code::from_conflict, *id, quote(id->text) + " is named twice",
                           "remove one");
      failed.written += (failed.written.empty() ? "" : ", ") + id->text;
    }
    if (anywhere && ids.size() > 1) return refuse_more_than_all(nodes_[i], ids);
    if (failed.written.empty()) return;
    const std::size_t from = failed_inputs(i, std::move(failed));
    nodes_[i].inputs.push_back({from, ids[0]});
  }

  /// The node for these inputs, which all that ask for the same share.
  std::size_t failed_inputs(std::size_t taker, Node::Failed failed) {
    const auto [known, is_new] = failed_.emplace(failed.named, nodes_.size());
    if (!is_new) return known->second;
    Node node;
    node.inserted = true;
    node.item.name = "failed";
    node.item.key.where = nodes_[taker].item.key.where;
    node.item.key.length = nodes_[taker].item.key.length;
    node.id = draft_.ids.make(node.item.name);
    for (const std::size_t stage : failed.named) node.inputs.push_back({stage, nullptr});
    node.failed = std::move(failed);
    nodes_.push_back(std::move(node));
    return known->second;
  }

  void refuse_mixture(Node& node, const Value& failed) {
    node.lost_input = true;
    diagnostics_.error(Code::from_conflict, failed,
                       quote(failed.text) +
                           " stands for inputs as their source gives them; the rest of this list "
                           "is what stages have made",
                       "let a stage of its own take " + quote(failed.text));
  }

  void refuse_more_than_all(Node& node, const std::vector<const Value*>& ids) {
    node.lost_input = true;
    for (const Value* id : ids)
      if (!id->text.starts_with('*'))
        return diagnostics_.error(Code::from_conflict, *id,
                                  quote("*.failed") + " includes " + quote(id->text),
                                  "remove one of them");
    diagnostics_.error(Code::from_conflict, *ids[1], quote(ids[1]->text) + " is named twice",
                       "remove one");
  }

  void refuse_dangling(Node& node, const Value& id, const std::string& name) {
    node.lost_input = true;
    if (lost_ids()) {
      lost_anything_ = true;
      return;
    }
    std::vector<std::string> all, names, failures{"*.failed"};
    for (const auto& [known, i] : ids_) {
      all.push_back(known);
      failures.push_back(known + std::string(failed_suffix));
      if (!nodes_[i].is_sink()) names.push_back(known);
    }
    const bool failed = id.text.find_first_of(".*") != std::string::npos;
    const auto meant = nearest(id.text, failed ? failures : names);
    if (meant && !failed)
      guessed_.push_back(ids_.at(*meant));
    else if (!meant)
      lost_anything_ = true;
    const auto* entry = prototypes_.find(name);
    Advice hint;
    if (entry && entry->role == Role::converter)
      hint = "a " + quote(name) + " that is put in by itself has no name here; write it as a stage";
    else if (meant)
      hint = {"did you mean " + quote(*meant) + "?", failed ? "\"" + *meant + "\"" : *meant};
    else if (means_failures(id))
      hint = "the ids are " + join(all, "and");
    else if (failed || nearest(name, {"failed"}))
      hint = "inputs that failed are \"*.failed\", or \"ID.failed\" of one stage";
    else
      hint = "the ids are " + join(names, "and");
    diagnostics_.error(Code::unknown_id, id, "no stage has the id " + quote(name), std::move(hint));
  }

  /// Whether some item could not be read, and so may have any id.
  bool lost_ids() const {
    return std::ranges::any_of(nodes_, [](const Node& node) {
      return node.item.key.key.empty() && node.item.key.value.broken;
    });
  }

  void refuse_first(Node& node) {
    node.lost_input = true;
    if (!node.made.stage) return;
    const auto sources = prototypes_.sources();
    const bool any = std::ranges::any_of(nodes_, [](const Node& n) { return n.is_source(); });
    diagnostics_.error(Code::no_input, node.item.key,
                       quote(node.item.name) + " needs an input, but no stage is before it" +
                           (any ? "" : ", and no stage of this pipeline is a source"),
                       any ? "take from another stage with 'from', or begin with a source"
                       : sources.empty() ? "begin with a source"
                                         : "begin with a source, such as " + join(sources, "or"));
  }

  void refuse_after_sink(Node& node, const Node& sink) {
    node.lost_input = true;
    nodes_[static_cast<std::size_t>(&sink - nodes_.data())].sound =
        false;  // it is out of its place
    if (!node.made.stage) return;
    std::string example;
    for (const Node& other : nodes_)
      if (&other == &sink)
        break;
      else if (!other.is_sink() && !other.id.empty())
        example = other.id;
    diagnostics_.error(Code::no_input, node.item.key,
                       quote(node.item.name) + " stands behind the sink " + quote(sink.item.name) +
                           ", which gives nothing",
                       "move it in front of the sink, or name its input with 'from'" +
                           (example.empty() ? "" : ", such as from: " + example) +
                           ", or begin a new chain with a source");
  }

  void check_taken(const Node& node) {
    if (!node.made.stage || node.is_sink() || !node.outputs.empty() || node.lost_input) return;
    const auto index = static_cast<std::size_t>(&node - nodes_.data());
    const bool lost = std::ranges::any_of(nodes_, &StageItem::lost_from, &Node::item);
    if (lost || lost_anything_ || std::ranges::count(guessed_, index) > 0) return;
    diagnostics_.error(
        Code::unused_output, node.item.key, "nothing takes what " + node.title() + " gives",
        "end the chain with a sink, or take from " + quote(node.id) + " with 'from'");
  }

  void check_cycles();
  void tell_cycle(const std::vector<std::size_t>& path);

  std::vector<Node>& nodes_;
  Draft& draft_;
  Prototypes& prototypes_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::size_t> ids_;
  std::map<std::set<std::size_t>, std::size_t> failed_;  // by the stages where they failed
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
  lost_anything_ = true;
  const Value* where = nullptr;
  const auto name = [this](std::size_t i) {
    return quote(nodes_[i].failed ? nodes_[i].failed->written : nodes_[i].id);
  };
  std::string names = name(path[0]);
  for (std::size_t i = 0; i < path.size(); ++i) {
    Node& node = nodes_[path[i]];
    node.sound = false;
    const std::size_t from = path[(i + 1) % path.size()];
    names = name(from) + " -> " + names;
    for (const auto& input : node.inputs)
      if (input.node == from && from >= path[i]) where = input.where;
  }
  // Some stage must read from itself or a later one, and only `from` can say so.
  if (path.size() == 1)
    diagnostics_.error(Code::cycle, *where, quote(nodes_[path[0]].id) + " takes from itself",
                       "take from another stage");
  else
    diagnostics_.error(Code::cycle, *where, "the stages go round in a circle: " + names,
                       "take from a stage that does not depend on this one");
}

}  // namespace

std::string Node::title() const {
  if (failed) return quote(failed->written);
  const auto name = quote(item.name);
  return id == item.name ? name : name + " (" + id + ")";
}

void Draft::link() {
  for (Node& node : nodes) {
    node.outputs.clear();
    node.failures.clear();
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const auto& input : nodes[i].inputs)
      (nodes[i].failed ? nodes[input.node].failures : nodes[input.node].outputs).push_back(i);
}

std::vector<std::size_t> Draft::order() const {
  std::vector<std::size_t> order, missing(nodes.size());
  std::vector<std::size_t> ready;  // as a heap: the first of the file is taken first
  const auto place = [&](std::size_t i) {
    // What is inserted stands just before the stage that it was put in for.
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
    for (const auto* next : {&nodes[node].outputs, &nodes[node].failures})
      for (const std::size_t reader : *next)
        if (--missing[reader] == 0) add(reader);
  }
  return order;
}

void connect(Draft& draft, Prototypes& prototypes, Diagnostics& diagnostics) {
  Connector(draft, prototypes, diagnostics).connect();
}

}  // namespace millrace::inline v1
