// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>

#include "config/keys.hpp"
#include "config/variables.hpp"
#include "millrace/nearest.hpp"
#include "plan/draft.hpp"

namespace millrace::inline v1 {
namespace {

bool takes(const Stage& stage, PayloadKind kind) {
  return std::ranges::count(stage.takes(), kind) > 0;
}

std::string kinds(const Stage& stage) {
  std::vector<std::string> names;
  for (const auto kind : stage.takes()) names.emplace_back(name_of(kind));
  return join(names, "or");
}

class Converting {
 public:
  Converting(Draft& draft, Prototypes& prototypes, Diagnostics& diagnostics)
      : draft_(draft), prototypes_(prototypes), diagnostics_(diagnostics) {}

  void convert() {
    const std::size_t written = draft_.nodes.size();
    for (std::size_t i = 0; i < written; ++i) {
      if (draft_.nodes[i].failed) continue;
      bool resolved = !draft_.nodes[i].lost_input;
      claimed_.clear();
      for (std::size_t k = 0; k < draft_.nodes[i].inputs.size(); ++k)
        resolved = check_edge(i, k) && resolved;
      if (draft_.nodes[i].made.stage) check_unclaimed(draft_.nodes[i], resolved);
    }
    draft_.find_failing();  // also at the converters
  }

 private:
  /// False when it is not known what flows there, or nothing can.
  bool check_edge(std::size_t to, std::size_t k) {
    const std::size_t from = draft_.nodes[to].inputs[k].node;
    const Stage* giver = draft_.nodes[from].made.stage.get();
    const Stage* taker = draft_.nodes[to].made.stage.get();
    if (!giver || !taker || !giver->gives()) return false;
    const PayloadKind given = *giver->gives();
    if (takes(*taker, given)) return true;
    for (const bool of_plugins : {false, true})
      for (const auto* converter : prototypes_.converters(of_plugins)) {
        const Stage& stage = *converter->made.stage;
        if (!takes(stage, given) || !takes(*taker, *stage.gives())) continue;
        put_in(*converter, to, k);
        return true;
      }
    refuse(draft_.nodes[to], draft_.nodes[from], draft_.nodes[to].inputs[k], given);
    return false;
  }

  void refuse(Node& node, const Node& from, const Node::Input& input, PayloadKind given) {
    node.sound = false;
    node.misfed = true;
    const auto message = quote(node.item.name) + " takes " + kinds(*node.made.stage) + ", but " +
                         from.title() + " gives " + name_of(given);
    const auto turning = std::string(name_of(given)) + " into " + kinds(*node.made.stage);
    const auto between = stages_between(given, *node.made.stage);
    const auto hint =
        between.empty()
            ? "nothing turns " + turning + "; take from a stage in front of " +
                  quote(from.item.name) + ", with 'from'"
            : "put a stage between them that turns " + turning + ": " + join(between, "or");
    if (input.where)
      diagnostics_.error(Code::kind_mismatch, *input.where, message, hint);
    else
      diagnostics_.error(Code::kind_mismatch, node.item.key, message, hint);
  }

  /// Those that take the one, or what a converter makes of it, and give what the other takes.
  std::vector<std::string> stages_between(PayloadKind given, const Stage& taker) {
    std::vector<PayloadKind> reached{given};
    for (const auto* converter : prototypes_.converters()) {
      const auto made = *converter->made.stage->gives();
      // Of a text's file no picture is made.
      if (takes(*converter->made.stage, given) && made != PayloadKind::bytes)
        reached.push_back(made);
    }
    std::vector<std::string> names;
    for (const auto& name : prototypes_.names()) {
      const auto flow = flow_of(*prototypes_.find(name));
      if (flow && flow->gives && takes(taker, *flow->gives) &&
          std::ranges::find_first_of(flow->takes, reached) != flow->takes.end())
        names.push_back(name);
    }
    return names;
  }

  /// A plugin is not opened for it.
  std::optional<Flow> flow_of(const Catalogue::Entry& entry) {
    if (entry.flow || !entry.plugin.empty()) return entry.flow;
    const auto* const prototype = prototypes_.of(entry.name);
    if (!prototype) return std::nullopt;
    return Flow{prototype->made.stage->takes(), prototype->made.stage->gives()};
  }

  void put_in(const Prototype& prototype, std::size_t to, std::size_t k) {
    std::vector<const Value::Entry*> lent;
    const auto options = names_of(prototype.made.options);
    for (const auto* entry : draft_.nodes[to].unclaimed)
      if (std::ranges::count(options, entry->key) > 0) lent.push_back(entry);
    const std::size_t from = draft_.nodes[to].inputs[k].node;
    // Encoding again and again what differs by its demand cannot be shared; reading can.
    const bool shareable = lent.empty() && prototype.made.stage->gives() != PayloadKind::bytes;
    const auto key = std::pair(from, prototype.entry->name);
    const auto known = shared_.find(key);
    if (shareable && known != shared_.end()) {
      draft_.nodes[to].inputs[k].node = known->second;
      return;
    }
    const std::size_t converter = add(prototype, draft_.nodes[to], from);
    draft_.nodes[to].inputs[k].node = converter;
    if (shareable) shared_[key] = converter;
    lend(draft_.nodes[to], draft_.nodes[converter], lent);
  }

  std::size_t add(const Prototype& prototype, const Node& target, std::size_t from) {
    Node node;
    node.entry = prototype.entry;
    node.item.name = prototype.entry->name;
    node.item.key.where = target.item.key.where;
    node.item.key.length = target.item.key.length;
    node.made = make_stage(*prototype.entry);
    node.inserted = true;
    node.inputs.push_back({from, nullptr});
    node.id = draft_.ids.make(node.item.name);
    draft_.nodes.push_back(std::move(node));
    return draft_.nodes.size() - 1;
  }

  void lend(Node& target, Node& converter, const std::vector<const Value::Entry*>& lent) {
    for (const auto* entry : lent) {
      if (!assign(*converter.made.options.find(entry->key), *entry, diagnostics_))
        converter.sound = target.sound = false;
      converter.options[entry->key] = provenance_of(*entry);
      claimed_.push_back(entry);
    }
    for (const auto& option : converter.made.options.all()) {
      const auto given = [&](const auto* entry) { return entry->key == option.name(); };
      if (!option.is_required() || std::ranges::any_of(lent, given)) continue;
      converter.sound = false;
      diagnostics_.error(Code::missing_option, target.item.key,
                         quote(converter.item.name) + ", which is put in for " +
                             quote(target.item.name) + ", needs the option " + quote(option.name()),
                         option.name() + " (" + option.allowed() + "): " + option.summary());
    }
  }

  void check_unclaimed(Node& node, bool resolved) {
    for (const auto* entry : node.unclaimed) {
      if (std::ranges::count(claimed_, entry) > 0) continue;
      node.sound = false;
      if (!resolved && is_of_a_converter(entry->key)) continue;
      if (tell_missing_colon(*entry, diagnostics_)) continue;
      auto [code, advice] = advise(node, entry->key);
      if (advice.fix && find_key(node.item.key.value, advice.fix->text)) advice.fix.reset();
      diagnostics_.error(code, *entry,
                         "unknown option " + quote(entry->key) + " of " + quote(node.item.name),
                         advice);
    }
  }

  bool is_of_a_converter(const std::string& option) {
    return std::ranges::any_of(prototypes_.converters(), [&](const auto* converter) {
      return std::ranges::count(names_of(converter->made.options), option) > 0;
    });
  }

  std::pair<Code, Advice> advise(const Node& node, const std::string& key) {
    const auto& engine = engine_keys();
    const auto colon = quote(node.item.name + ":");
    if (key.find_first_not_of("0123456789") == key.npos)
      return {Code::unknown_option,
              "a ',' parts two options: write a number with a '.', as in 0.3"};
    if (std::ranges::count(engine, key) > 0)
      return {Code::misplaced_key, quote(key) + " stands beside " + colon + ", not below it"};
    const auto options = options_within_reach(node);
    const auto owner = owner_of(key);
    const auto is_of = owner == node.item.name ? lacks_converter(key)
                                               : quote(key) + " is valid under " + quote(owner);
    if (Advice near = suggest(key, options); !near.empty()) {
      if (!owner.empty()) near = near.hint + " or: " + is_of;
      return {Code::unknown_option, near};
    }
    if (!owner.empty()) return {Code::misplaced_key, is_of};
    if (const auto beside = suggest(key, engine); beside.fix)
      return {Code::misplaced_key, beside.hint + (beside.hint.ends_with('?') ? " it" : "; it") +
                                       " stands beside " + colon + ", not below it"};
    if (std::ranges::count(run_keys(), key) > 0)
      return {Code::misplaced_key, quote(key) + " stands in 'run'"};
    return {Code::unknown_option, options.empty() ? quote(node.item.name) + " has no options"
                                                  : "its options are " + join(options, "and")};
  }

  /// Its own and those of the converters put in for it.
  std::vector<std::string> options_within_reach(const Node& node) const {
    auto options = names_of(node.made.options);
    for (const auto& input : node.inputs) {
      const Node& from = draft_.nodes[input.node];
      if (!from.inserted) continue;
      for (const auto& option : from.made.options.all()) options.push_back(option.name());
    }
    return options;
  }

  /// Of an option of a converter that was not put in, since what comes is the right kind already.
  std::string lacks_converter(const std::string& option) {
    for (const auto* owner : prototypes_.converters()) {
      if (std::ranges::count(names_of(owner->made.options), option) == 0) continue;
      const auto kinds = owner->made.stage->takes();
      for (const auto* before : prototypes_.converters())
        if (std::ranges::count(kinds, *before->made.stage->gives()) > 0)
          return quote(option) + " is of " + quote(owner->entry->name) +
                 ", which is not put in here; put a stage such as " + quote(before->entry->name) +
                 " in front";
    }
    return quote(option) + " is not for what comes here";
  }

  /// The first stage of the file, or else a sink for whose converter it is, or else the first stage
  /// there is, that has an option of this name.
  std::string owner_of(const std::string& option) {
    for (Node& node : draft_.nodes)
      if (node.made.stage && !node.inserted && node.made.options.find(option))
        return node.item.name;
    for (const auto* converter : prototypes_.converters())
      if (std::ranges::count(names_of(converter->made.options), option) > 0)
        for (const Node& node : draft_.nodes)
          if (node.is_sink() && takes(*node.made.stage, *converter->made.stage->gives()))
            return node.item.name;
    return prototypes_.owner_of(option);
  }

  Draft& draft_;
  Prototypes& prototypes_;
  Diagnostics& diagnostics_;
  std::vector<const Value::Entry*> claimed_;  // of the node at hand
  std::map<std::pair<std::size_t, std::string>, std::size_t> shared_;
};

}  // namespace

void convert(Draft& draft, Prototypes& prototypes, Diagnostics& diagnostics) {
  Converting(draft, prototypes, diagnostics).convert();
}

}  // namespace millrace::inline v1
