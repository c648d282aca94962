// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/parallel.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

#include "concurrency/cpu_slots.hpp"

namespace millrace::inline v1 {
namespace {

using Body = std::function<void(std::size_t, std::size_t)>;

/// What one call has to do. Its parts are begun in order, each by whoever is free.
class Parts {
 public:
  Parts(const Context& context, std::size_t begin, std::size_t end, std::size_t grain,
        const Body& body)
      : context_(context),
        begin_(begin),
        end_(end),
        grain_(std::max<std::size_t>(grain, 1)),
        count_(end <= begin ? 0 : (end - begin - 1) / grain_ + 1),
        body_(body) {}

  std::size_t left() const noexcept {
    const std::size_t begun = begun_.load(std::memory_order_relaxed);
    return begun < count_ ? count_ - begun : 0;
  }

  /// Does a part; false when there is none left.
  bool step() noexcept {
    const std::size_t part = begun_.fetch_add(1, std::memory_order_relaxed);
    if (part >= count_) return false;
    const std::size_t first = begin_ + part * grain_;
    try {
      context_.check();
      body_(first, first + std::min(grain_, end_ - first));
    } catch (...) {
      fail(std::current_exception());
    }
    return true;
  }

  /// After the last part.
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void fail(std::exception_ptr error) noexcept {
    begun_.store(count_, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    if (!error_) error_.swap(error);
  }

  const Context& context_;
  const std::size_t begin_, end_, grain_, count_;
  const Body& body_;
  std::atomic<std::size_t> begun_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;  // the first
};

/// TBB's own order between who gives a task and who takes it is not seen by ThreadSanitizer, its
/// library not being built for that. This one is; of all calls, so that a helper can look at it
/// before it looks at its task.
std::atomic<unsigned> handed_over = 0;

/// The threads that help one call, a CPU slot for each.
class Helpers {
 public:
  explicit Helpers(Parts& parts) : parts_(parts) {}

  /// Does all parts, with the slot's thread as the first helper. [the calling thread]
  void share(Slots::Slot slot) {
    oneapi::tbb::task_arena arena(places(), 1);
    arena.execute([&] {
      oneapi::tbb::task_group group;
      bool more = start(group, std::move(slot));
      while (parts_.step()) {
        if (!more || parts_.left() < 2) continue;
        if (auto another = cpu_slots().try_acquire()) more = start(group, std::move(*another));
      }
      group.wait();
    });
    ended_.load(std::memory_order_acquire);  // as with `handed_over`
  }

  /// The caller's and one for each helper, if every CPU should fall free; TBB has not more, and
  /// prints a warning where more are asked for.
  static int places() {
    using oneapi::tbb::global_control;
    const std::size_t most = global_control::active_value(global_control::max_allowed_parallelism);
    return static_cast<int>(std::min(cpu_slots().count() + 1, most));
  }

 private:
  bool start(oneapi::tbb::task_group& group, Slots::Slot slot) noexcept {
    try {
      auto& place = slots_.emplace_back(std::move(slot));
      auto task = group.defer([this, &place] {
        handed_over.load(std::memory_order_acquire);
        help(place);
      });
      handed_over.fetch_add(1, std::memory_order_release);
      group.run(std::move(task));
      return true;
    } catch (...) {  // no memory or no thread for it: the work goes on without
      return false;
    }
  }

  void help(std::optional<Slots::Slot>& slot) noexcept {
    while (cpu_slots().waiting() == 0 && parts_.step()) {
    }
    slot.reset();
    ended_.fetch_add(1, std::memory_order_release);
  }

  Parts& parts_;
  std::list<std::optional<Slots::Slot>> slots_;
  std::atomic<std::size_t> ended_ = 0;
};

}  // namespace

void parallel_for(const Context& context, std::size_t begin, std::size_t end, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  Parts parts(context, begin, end, grain, body);
  std::optional<Slots::Slot> slot;
  if (Helpers::places() > 1)
    while (parts.left() > 1 && !(slot = cpu_slots().try_acquire())) parts.step();
  if (slot)
    Helpers(parts).share(std::move(*slot));
  else
    while (parts.step()) {
    }
  parts.rethrow();
}

}  // namespace millrace::inline v1
