// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "millrace/callable.hpp"
#include "millrace/context.hpp"
#include "millrace/fault.hpp"

namespace millrace::inline v1 {

/// What a task of a group ended with.
struct TaskFault {
  std::size_t task;  ///< Its number in the group, from 0, in the order of go().
  std::string name;  ///< As given to go(), or "task 3".
  Fault fault;
};

/// Several errors as one: its text has a line for each of the first twenty, its kind is the
/// first's.
class AggregateError : public Error {
 public:
  /// At least one.
  explicit AggregateError(std::vector<TaskFault> faults);
  const std::vector<TaskFault>& faults() const noexcept { return *faults_; }

 private:
  std::shared_ptr<const std::vector<TaskFault>> faults_;  // a copy of an exception must not throw
};

/// Tasks that run side by side, each in a thread of the group, and never outlive it. What a task
/// throws is its error. Threads are used again by later tasks and joined by wait(): there are never
/// more than the limit. When wait() returns, all that the tasks wrote can be read without a lock.
///
/// A group that fails fast cancels its context at the first error, so that the other tasks can stop
/// and no further one begins; one that collects lets them all run. The context given to it is never
/// cancelled.  [any thread, at once; wait() and the end: not from its own tasks]
///
///     TaskGroup group(context, {.limit = 4});
///     for (const auto& url : urls)
///       if (!group.go([url](const Context& here) { fetch(here, url); })) break;
///     if (const auto error = group.wait()) error->raise();
class TaskGroup {
 public:
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  enum class Mode { fail_fast, collect_all };
  struct Options {
    std::size_t limit = no_limit;  ///< Tasks that run at once; 0: none may, try_go() says false.
    Mode mode = Mode::fail_fast;
    std::string name = "task";  ///< Of the threads; the system shows 15 bytes.
  };

  explicit TaskGroup(const Context& context);
  TaskGroup(const Context& context, Options options);
  ~TaskGroup();  ///< Cancels the group's context and waits for its tasks.
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  /// Starts a task, a function of the group's context or of nothing; waits while the limit is
  /// reached. Keeps a decayed copy: capture by value what may be gone before the task is. False:
  /// the context ended first, the task will not run, and wait() says so. Throws Error (internal)
  /// where it would wait for itself: with the limit 0, and in a task of a group at its limit; Error
  /// (resource) when there can be no further thread.
  template <class F>
  bool go(F&& task) {
    return add({}, stored(std::forward<F>(task)), true);
  }
  template <class F>
  bool go(std::string name, F&& task) {
    return add(std::move(name), stored(std::forward<F>(task)), true);
  }

  /// Never waits. False: the limit is reached or the context has ended; the task will not run.
  template <class F>
  [[nodiscard]] bool try_go(F&& task) {
    return add({}, stored(std::forward<F>(task)), false);
  }

  /// Waits until every task has ended. Gives the first error by time; or, if nothing else went
  /// wrong, the end of the context that kept a task from starting or from ending. May be called
  /// again.
  [[nodiscard]] std::optional<Fault> wait();

  /// By task. Without those that only tell that the context had ended.
  std::vector<TaskFault> errors() const;
  /// The same as one.
  std::optional<AggregateError> joined() const;

  /// What the tasks get: below the one that the group was made with.
  const Context& context() const noexcept;
  void cancel() const noexcept { context().cancel(); }

 private:
  using Task = Callable<void(const Context&)>;

  template <class F>
  static Task stored(F&& task) {
    if constexpr (std::is_invocable_v<std::decay_t<F>&, const Context&>)
      return Task(std::forward<F>(task));
    else
      return Task(
          [task = std::decay_t<F>(std::forward<F>(task))](const Context&) mutable { task(); });
  }
  bool add(std::string name, Task task, bool may_wait);

  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace millrace::inline v1
