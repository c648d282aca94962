// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "millrace/callable.hpp"
#include "millrace/channel.hpp"
#include "millrace/context.hpp"
#include "millrace/fault.hpp"

namespace millrace::inline v1 {

/// What pools of every kind of job share: their threads, and what those threw.
class PoolThreads {
 public:
  PoolThreads(const Context& context, std::string name);
  ~PoolThreads();  ///< Cancels and joins.
  PoolThreads(const PoolThreads&) = delete;
  PoolThreads& operator=(const PoolThreads&) = delete;

  const Context& context() const noexcept;
  /// Calls `serve` in each of so many threads, or in none: then it throws Error (resource).
  void start(std::size_t workers, const std::function<void()>& serve);
  bool started() const noexcept;
  void check_outside() const;  ///< Throws Error (internal) in a thread of its own.
  void join();
  void keep(Fault fault) noexcept;
  std::vector<Fault> errors() const;
  std::size_t failed() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// A fixed number of threads that take jobs from a channel of their own, for as long as somebody
/// sends: a service without an end, or a stage of a pipeline. Each has its own state, made and
/// destroyed in its thread. A job that throws costs neither the worker nor the other jobs; what it
/// threw is kept. For a list that is known beforehand there is parallel_map.
///
/// The channel is there from the start, the threads from start() on, so that pools can be joined
/// to a pipeline first. When the last worker has left, pushes say `closed`. Whoever pushes or waits
/// is woken by close(), by the end of the context, and by the end of the pool.
/// [its owner; sender(), cancel(), context(), counts(), errors(): any thread, at once]
///
///     WorkerPool<Page> pool(context, {.name = "ocr", .workers = 2}, [] {
///       return [engine = Engine()](Page page) mutable { engine.read(page); };
///     });
///     pool.start();
///     const auto jobs = pool.sender();
///     for (auto& page : pages)
///       if (jobs.push(context, std::move(page)) != ChannelStatus::ok) break;
template <class Job>
class WorkerPool {
 public:
  struct Options {
    std::string name;  ///< Of the threads; the system shows 15 bytes.
    std::size_t workers = 1;
    std::size_t queue = 4 * workers;  ///< Jobs that wait for a worker; 0: a hand-over.
  };

  /// What one worker does with a job. [that worker's thread, from its making to its end]
  using Work = Callable<void(Job)>;

  /// `start` makes a worker's Work: it is called once in each worker's thread, with the pool's
  /// context if it takes one, and given up when all have called it. What it throws stops the
  /// pool. Throws Error (internal) for no workers. [each worker, at once]
  template <class Start>
  WorkerPool(const Context& context, Options options, Start start)
      : workers_(options.workers),
        channel_(options.queue),
        own_(channel_.sender()),
        start_(std::make_shared<const Starter>(with_context(std::move(start)))),
        threads_(context, std::move(options.name)) {
    if (workers_ == 0) throw Error(ErrorKind::internal, "a pool without workers does nothing");
  }

  /// Cancels, and waits for the jobs that run. Not for one of its own workers to call.
  ~WorkerPool() {
    threads_.context().cancel();
    channel_.close();
  }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Starts all threads, or none and throws Error (resource). Once.
  void start() {
    if (threads_.started()) throw Error(ErrorKind::internal, "a pool starts once");
    serving_ = workers_;
    try {
      auto starter = std::exchange(start_, nullptr);
      threads_.start(workers_, [this, starter = std::move(starter)]() mutable {
        serve(std::move(starter));
        if (--serving_ == 0) channel_.close();  // nobody is left to take what is pushed
      });
    } catch (...) {
      channel_.close();
      throw;
    }
  }

  /// One more way in. The channel closes when these and the pool's own are gone.
  Sender<Job> sender() const { return channel_.sender(); }
  /// Gives up the pool's own sender.
  void close() noexcept { own_.close(); }

  /// Closes, and waits until the workers have done what was sent and have left. Gives the first
  /// error by time.
  [[nodiscard]] std::optional<Fault> join() {
    threads_.check_outside();
    close();
    threads_.join();
    const auto errors = threads_.errors();
    return errors.empty() ? std::nullopt : std::optional(errors.front());
  }

  /// Stops between jobs: what runs can see it by context(), what is queued stays.
  void cancel() const noexcept { threads_.context().cancel(); }
  /// Below the one that the pool was made with; ends with the pool.
  const Context& context() const noexcept { return threads_.context(); }

  /// After join(): the jobs that nobody began, in their order.
  std::vector<Job> unstarted() const {
    std::vector<Job> jobs;
    while (auto job = channel_.receiver().try_pop()) jobs.push_back(std::move(*job));
    return jobs;
  }

  ChannelCounts counts() const { return channel_.counts(); }

  /// What jobs and `start` threw, in time's order: the first hundred of failed().
  std::vector<Fault> errors() const { return threads_.errors(); }
  std::size_t failed() const { return threads_.failed(); }

 private:
  using Starter = std::function<Work(const Context&)>;

  template <class Start>
  static Starter with_context(Start start) {
    if constexpr (std::is_invocable_v<const Start&, const Context&>)
      return start;
    else
      return [start = std::move(start)](const Context&) { return Work(start()); };
  }

  void serve(std::shared_ptr<const Starter> starter) {
    std::optional<Fault> fault;
    try {
      Work work = (*starter)(context());
      starter.reset();
      const auto jobs = channel_.receiver();
      while (auto job = jobs.pop(context())) run(work, std::move(*job));
    } catch (...) {
      fault = Fault::current();
    }
    if (!fault) return;
    threads_.keep(std::move(*fault));
    cancel();
    channel_.close();
  }

  void run(Work& work, Job job) {
    std::optional<Fault> fault;
    try {
      work(std::move(job));
    } catch (...) {
      fault = Fault::current();
    }
    if (fault) threads_.keep(std::move(*fault));  // after the block, which holds the exception
  }

  const std::size_t workers_;
  const Channel<Job> channel_;
  Sender<Job> own_;
  std::shared_ptr<const Starter> start_;
  std::atomic<std::size_t> serving_ = 0;
  PoolThreads threads_;  // last: joined before what they use is gone
};

}  // namespace millrace::inline v1
