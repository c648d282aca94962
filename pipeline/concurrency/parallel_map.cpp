// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/parallel_map.hpp"

#include <atomic>

namespace millrace::inline v1 {

void parallel_each(const Context& context, std::size_t limit, std::size_t count,
                   const std::function<void(const Context&, std::size_t)>& one) {
  if (limit == 0) throw Error(ErrorKind::internal, "a limit of 0 lets nothing run");
  std::atomic<std::size_t> next = 0;
  const auto serve = [&](const Context& here) {
    for (std::size_t i = next++; i < count; i = next++) {
      here.check();
      one(here, i);
    }
  };
  const std::size_t workers = std::min(limit, count);
  if (workers <= 1) {
    try {
      return serve(context);
    } catch (...) {
      Fault::current().raise();  // as from a thread: always an Error
    }
  }
  TaskGroup group(context, {.limit = workers, .name = "parallel"});
  for (std::size_t i = 0; i < workers; ++i)
    if (!group.go(serve)) break;
  if (const auto fault = group.wait()) fault->raise();
}

}  // namespace millrace::inline v1
