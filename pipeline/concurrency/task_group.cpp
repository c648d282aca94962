// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/task_group.hpp"

#include <pthread.h>

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "concurrency/threads.hpp"
#include "millrace/semaphore.hpp"

namespace millrace::inline v1 {
namespace {

thread_local const void* group_here = nullptr;  // the group that this thread works for

std::string text_of(const std::vector<TaskFault>& faults) {
  constexpr std::size_t shown = 20;
  std::string text = std::to_string(faults.size()) + (faults.size() == 1 ? " error" : " errors");
  for (std::size_t i = 0; i < std::min(shown, faults.size()); ++i)
    text += "\n" + faults[i].name + ": " + faults[i].fault.error().what();
  if (faults.size() > shown) text += "\nand " + std::to_string(faults.size() - shown) + " more";
  return text;
}

}  // namespace

AggregateError::AggregateError(std::vector<TaskFault> faults)
    : Error(faults.at(0).fault.error().kind(), text_of(faults)),
      faults_(std::make_shared<const std::vector<TaskFault>>(std::move(faults))) {}

/// A thread is either free, or there is a task that runs in it or is queued for it. So there are
/// no more threads than there were tasks at once.
struct TaskGroup::Inside {
  Inside(const Context& above, Options chosen)
      : context(above.child()), options(std::move(chosen)) {
    if (options.limit > 0 && options.limit != no_limit) places.emplace(options.limit);
  }

  struct Entry {
    std::size_t index;
    std::string name;
    Task task;
    std::optional<Permit> place;
  };

  std::optional<Permit> take_place(bool may_wait);
  void enqueue(Entry entry);
  void serve();
  void run(Entry entry);
  void keep(Entry& entry, Fault fault);
  void join();

  const Context context;
  const Options options;
  std::optional<Semaphore> places;

  mutable std::mutex mutex;  // guards all below
  std::condition_variable queued, ended;
  std::deque<Entry> queue;
  std::size_t next_index = 0;
  std::size_t running = 0;  // or queued
  std::size_t free = 0;     // threads
  std::size_t waiting = 0;  // in join()
  std::vector<TaskFault> faults;
  std::optional<Fault> first, cancelled;
  bool refused = false;
  Threads threads;
};

/// None when one may not wait or the context has ended.
std::optional<Permit> TaskGroup::Inside::take_place(bool may_wait) {
  if (options.limit == 0) {
    if (may_wait) throw Error(ErrorKind::internal, "a group with the limit 0 runs nothing");
    return std::nullopt;
  }
  auto place = places->try_acquire();
  if (place || !may_wait) return place;
  if (group_here == this)
    throw Error(ErrorKind::internal,
                "a task of a group at its limit waits for itself when it starts another: try_go()");
  return places->acquire(context);
}

void TaskGroup::Inside::enqueue(Entry entry) {
  const std::lock_guard lock(mutex);
  entry.index = next_index;
  if (entry.name.empty()) entry.name = "task " + std::to_string(entry.index);
  // To keep what a task throws must not need memory.
  const std::size_t most = faults.size() + running + 1;
  if (faults.capacity() < most) faults.reserve(std::max(most, 2 * faults.capacity()));
  queue.push_back(std::move(entry));
  if (free > 0) {
    --free;
    queued.notify_one();
  } else {
    try {
      threads.start(options.name, [this] { serve(); });
    } catch (...) {
      entry = std::move(queue.back());  // what the task holds goes after the lock
      queue.pop_back();
      throw;
    }
  }
  ++next_index;
  ++running;
}

void TaskGroup::Inside::serve() {
  group_here = this;
  std::unique_lock lock(mutex);
  while (true) {
    while (queue.empty()) {
      if (waiting > 0 && running == 0) {
        --free;
        return;
      }
      queued.wait(lock);
    }
    Entry entry = std::move(queue.front());
    queue.pop_front();
    auto place = std::move(entry.place);
    lock.unlock();
    run(std::move(entry));
    lock.lock();
    ++free;  // before the place: whoever gets that finds this thread
    if (--running == 0) {
      ended.notify_all();
      queued.notify_all();
    }
    lock.unlock();
    place.reset();
    lock.lock();
  }
}

/// The task, and all that it holds, is gone when this returns.
void TaskGroup::Inside::run(Entry entry) {
  std::optional<Fault> fault;
  try {
    Task task = std::move(entry.task);
    task(context);
  } catch (...) {
    fault = Fault::current();
  }
  if (!fault) return;
  keep(entry, std::move(*fault));
}

/// First kept, then cancelled: who sees the end finds its cause. The task's place is given back
/// later, so that whoever starts next sees the end.
void TaskGroup::Inside::keep(Entry& entry, Fault fault) {
  {
    const std::lock_guard lock(mutex);
    if (fault.error().kind() == ErrorKind::cancelled && context.done()) {
      if (!cancelled) cancelled = std::move(fault);
      return;
    }
    if (!first) first = fault;
    faults.push_back({entry.index, std::move(entry.name), std::move(fault)});
  }
  if (options.mode == Mode::fail_fast) context.cancel();
}

void TaskGroup::Inside::join() {
  std::unique_lock lock(mutex);
  ++waiting;
  ended.wait(lock, [this] { return running == 0; });
  queued.notify_all();
  Threads all = std::move(threads);
  lock.unlock();
  all.join();
  lock.lock();
  --waiting;
}

TaskGroup::TaskGroup(const Context& context) : TaskGroup(context, Options()) {}

TaskGroup::TaskGroup(const Context& context, Options options)
    : inside_(std::make_unique<Inside>(context, std::move(options))) {}

TaskGroup::~TaskGroup() {
  assert(group_here != inside_.get() && "a task cannot end its own group");
  inside_->context.cancel();
  inside_->join();
}

const Context& TaskGroup::context() const noexcept { return inside_->context; }

bool TaskGroup::add(std::string name, Task task, bool may_wait) {
  std::optional<Permit> place;
  const bool limited = inside_->options.limit != no_limit;
  if (limited) place = inside_->take_place(may_wait);
  if (inside_->context.done() || (limited && !place)) {
    const std::lock_guard lock(inside_->mutex);
    inside_->refused |= may_wait;
    return false;
  }
  inside_->enqueue({0, std::move(name), std::move(task), std::move(place)});
  return true;
}

std::optional<Fault> TaskGroup::wait() {
  if (group_here == inside_.get())
    throw Error(ErrorKind::internal, "a task cannot wait for its own group");
  inside_->join();
  const std::lock_guard lock(inside_->mutex);
  if (inside_->first) return inside_->first;
  if (inside_->cancelled || !inside_->refused) return inside_->cancelled;
  try {
    inside_->context.check();
  } catch (const Error&) {
    inside_->cancelled = Fault::current();
  }
  return inside_->cancelled;
}

std::vector<TaskFault> TaskGroup::errors() const {
  const std::lock_guard lock(inside_->mutex);
  auto faults = inside_->faults;
  std::ranges::sort(faults, {}, &TaskFault::task);
  return faults;
}

std::optional<AggregateError> TaskGroup::joined() const {
  auto faults = errors();
  return faults.empty() ? std::nullopt : std::optional<AggregateError>(std::move(faults));
}

}  // namespace millrace::inline v1
