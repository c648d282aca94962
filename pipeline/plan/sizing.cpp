// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/resource.h>

#include <algorithm>
#include <limits>

#include "concurrency/effective_cpus.hpp"
#include "plan/draft.hpp"

namespace millrace::inline v1 {
namespace {

// A sink holds a folder and a file; the rest is for libraries, plugins and the standard streams.
constexpr std::size_t files_per_worker = 2;
constexpr std::size_t files_besides = 64;

std::size_t files_allowed() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<std::size_t>::max();
  return limit.rlim_cur;
}

bool waits(const Node& node) { return node.made.stage && node.made.stage->load() == Load::io; }

/// What waits for a disk or a network gains from more workers than there are CPUs, as far as each
/// can have its files open.
std::size_t waiting_workers(const Draft& draft, std::size_t cpus) {
  const std::size_t files = files_allowed();
  const auto stages = static_cast<std::size_t>(std::ranges::count_if(draft.nodes, waits));
  const std::size_t room = files > files_besides ? files - files_besides : 0;
  const std::size_t most = room / files_per_worker / std::max<std::size_t>(stages, 1);
  return std::clamp<std::size_t>(most, 1, std::max<std::size_t>(8, 4 * cpus));
}

bool is_serial(const Node& node) {
  return node.made.stage && node.made.stage->concurrency() != Concurrency::parallel;
}

/// Of a sink, while the sources' order is kept, there is one worker.
bool keeps_order(const Node& node, Order order) {
  return order == Order::preserve && node.is_sink();
}

void check_files(const Draft& draft, const std::vector<std::size_t>& workers,
                 Diagnostics& diagnostics) {
  std::size_t files = files_besides;
  const Value* where = nullptr;
  std::size_t most = 0;
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    const Node& node = draft.nodes[i];
    if (!waits(node)) continue;
    files += files_per_worker * workers[i];
    if (!node.item.workers || workers[i] <= most) continue;
    most = workers[i];
    where = &node.item.workers_key->value;
  }
  if (!where || files <= files_allowed()) return;
  diagnostics.warning(Code::over_limit, *where,
                      "with these workers " + std::to_string(files) +
                          " files may be open at once, and this process may open " +
                          std::to_string(files_allowed()),
                      "write fewer workers, or raise the limit with 'ulimit -n'");
}

}  // namespace

std::vector<std::size_t> workers_of(const Draft& draft, Order order) {
  const std::size_t cpus = effective_cpus();
  const std::size_t waiting = waiting_workers(draft, cpus);
  std::vector<std::size_t> workers;
  for (const Node& node : draft.nodes)
    if (keeps_order(node, order) || is_serial(node))
      workers.push_back(1);
    else if (const auto& written = node.item.workers)
      workers.push_back(written->count * (written->per_cpu ? cpus : 1));
    else
      workers.push_back(waits(node) ? waiting : cpus);
  return workers;
}

void check_workers(const Draft& draft, Order order, Diagnostics& diagnostics) {
  for (const Node& node : draft.nodes) {
    const auto& written = node.item.workers;
    if (!written || (written->count == 1 && !written->per_cpu)) continue;
    const Value& value = node.item.workers_key->value;
    if (is_serial(node))
      diagnostics.error(Code::setting_conflict, value,
                        "workers: " + quote(value.text) + " at " + quote(node.item.name) +
                            ", which works on one item at a time",
                        "remove 'workers'");
    else if (keeps_order(node, order))
      diagnostics.error(Code::setting_conflict, value,
                        "workers: " + quote(value.text) + " at a sink contradicts order: preserve",
                        "one worker takes the items in their order; remove 'workers', or write "
                        "order: any in 'run'");
  }
  check_files(draft, workers_of(draft, order), diagnostics);
}

}  // namespace millrace::inline v1
