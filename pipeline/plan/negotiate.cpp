// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <limits>

#include "config/keys.hpp"
#include "plan/draft.hpp"

namespace millrace::inline v1 {
namespace {

using Memory = decltype(Demand::memory);

/// All work on one item, and may do so at once: the sum, of those that are known.
Memory merge_memory(const std::vector<Demand>& demands) {
  std::vector<Memory> known;
  for (const Demand& demand : demands)
    if (demand.memory) known.push_back(demand.memory);
  if (known.empty()) return {};
  return [known = std::move(known)](const Bytes& head, std::uint64_t length) {
    std::uint64_t bytes = 0;
    for (const auto& memory : known) {
      const std::uint64_t more = memory(head, length);
      bytes += std::min(more, std::numeric_limits<std::uint64_t>::max() - bytes);
    }
    return bytes;
  };
}

/// What several consumers together need of one output: never less than any of them.
Demand merge(std::vector<Demand> demands) {
  if (demands.size() == 1) return std::move(demands[0]);
  Demand all;
  if (demands.empty()) return all;
  all.memory = merge_memory(demands);
  all.gray = std::ranges::all_of(demands, &Demand::gray);
  all.extension = demands[0].extension;
  all.upright = demands[0].upright;
  bool all_sized = true;
  for (const Demand& demand : demands) {
    if (demand.extension != all.extension) all.extension.clear();
    // Widths and heights of turned and unturned pictures cannot be compared.
    all_sized = all_sized && demand.target_size && demand.upright == all.upright;
  }
  if (!all_sized) {
    all.upright = false;
    return all;
  }
  all.target_size = [demands = std::move(demands)](cv::Size full) {
    cv::Size largest;
    for (const Demand& demand : demands) {
      const cv::Size size = demand.target_size(full);
      largest.width = std::max(largest.width, size.width);
      largest.height = std::max(largest.height, size.height);
    }
    return largest;
  };
  return all;
}

/// A complaint that begins with a written option's name is made at that option.
void complain(Node& node, const std::string& complaint, Diagnostics& diagnostics) {
  node.sound = false;
  if (node.inserted)
    return diagnostics.error(Code::invalid_value, node.item.key,
                             quote(node.item.name) + ", which is put in here: " + complaint);
  const auto* option = find_key(node.item.key.value, complaint.substr(0, complaint.find(':')));
  if (option)
    diagnostics.error(Code::invalid_value, option->value, complaint);
  else
    diagnostics.error(Code::invalid_value, node.item.key, quote(node.item.name) + ": " + complaint);
}

/// Takes what a stage says, be it by its list or by an Error.
template <class Ask>
void ask(Node& node, Diagnostics& diagnostics, const Ask& question) {
  try {
    for (const auto& complaint : question()) complain(node, complaint, diagnostics);
  } catch (const Error& error) {
    complain(node, error.what(), diagnostics);
  }
}

/// Those that each node's items come to. A source opens those that failed once more.
std::vector<std::vector<std::size_t>> readers_of(const Draft& draft) {
  std::vector<std::vector<std::size_t>> readers;
  for (const Node& node : draft.nodes) readers.push_back(node.outputs);
  for (std::size_t i = 0; i < draft.nodes.size(); ++i)
    if (draft.nodes[i].failed)
      for (const std::size_t source : draft.sources_of(i)) readers[source].push_back(i);
  return readers;
}

/// The nodes put in behind a stage that cannot use what comes to it: with that mended they may not
/// be there.
std::vector<bool> doubtful(const Draft& draft, const std::vector<std::size_t>& order) {
  std::vector<bool> behind(draft.nodes.size());
  std::vector<bool> doubtful(draft.nodes.size());
  for (const std::size_t at : order) {
    const Node& node = draft.nodes[at];
    behind[at] = node.misfed || std::ranges::any_of(node.inputs, [&](const auto& input) {
                   return behind[input.node];
                 });
    doubtful[at] = node.inserted && behind[at];
  }
  return doubtful;
}

}  // namespace

void negotiate(Draft& draft, Diagnostics& diagnostics) {
  for (Node& node : draft.nodes)
    if (node.sound) ask(node, diagnostics, [&] { return node.made.stage->check(); });

  std::vector<std::optional<Demand>> demands(draft.nodes.size());
  const auto readers = readers_of(draft);
  const auto order = draft.order();
  const auto passed_over = doubtful(draft, order);
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    Node& node = draft.nodes[*at];
    const auto known = [&](std::size_t output) { return demands[output].has_value(); };
    if (!node.sound || passed_over[*at] || !std::ranges::all_of(readers[*at], known)) continue;
    std::vector<Demand> needed;
    for (const std::size_t reader : readers[*at]) needed.push_back(*demands[reader]);
    const Demand downstream = merge(std::move(needed));
    ask(node, diagnostics, [&] {
      auto complaints =
          node.is_sink() ? std::vector<std::string>() : node.made.stage->accept(downstream);
      if (complaints.empty()) demands[*at] = node.made.stage->demand(downstream);
      node.downstream = downstream;
      return complaints;
    });
  }
}

}  // namespace millrace::inline v1
