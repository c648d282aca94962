// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/worker_pool.hpp"

#include <cassert>
#include <mutex>

#include "concurrency/threads.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::size_t kept_errors = 100;  // a pool may live for ever

thread_local const void* served_here = nullptr;  // the pool that this thread works for

}  // namespace

struct PoolThreads::Inside {
  Inside(const Context& above, std::string shown) : context(above.child()), name(std::move(shown)) {
    errors.reserve(kept_errors);  // to keep one must not need memory
  }

  const Context context;
  const std::string name;
  bool started = false;
  mutable std::mutex mutex;
  std::vector<Fault> errors;
  std::size_t failed = 0;
  Threads threads;
};

PoolThreads::PoolThreads(const Context& context, std::string name)
    : inside_(std::make_unique<Inside>(context, std::move(name))) {}

PoolThreads::~PoolThreads() {
  assert(served_here != inside_.get() && "a worker cannot end its own pool");
  inside_->context.cancel();
  inside_->threads.join();
}

const Context& PoolThreads::context() const noexcept { return inside_->context; }

bool PoolThreads::started() const noexcept { return inside_->started; }

void PoolThreads::start(std::size_t workers, const std::function<void()>& serve) {
  inside_->started = true;
  try {
    for (std::size_t i = 0; i < workers; ++i)
      inside_->threads.start(inside_->name, [pool = inside_.get(), serve]() mutable {
        served_here = pool;
        serve();
      });
  } catch (const Error& error) {
    inside_->context.cancel();
    inside_->threads.join();
    throw error.in(inside_->name);
  }
}

void PoolThreads::check_outside() const {
  if (served_here == inside_.get())
    throw Error(ErrorKind::internal, inside_->name + ": a worker cannot wait for its own pool");
}

void PoolThreads::join() { inside_->threads.join(); }

void PoolThreads::keep(Fault fault) noexcept {
  const std::lock_guard lock(inside_->mutex);
  ++inside_->failed;
  if (inside_->errors.size() < kept_errors) inside_->errors.push_back(std::move(fault));
}

std::vector<Fault> PoolThreads::errors() const {
  const std::lock_guard lock(inside_->mutex);
  return inside_->errors;
}

std::size_t PoolThreads::failed() const {
  const std::lock_guard lock(inside_->mutex);
  return inside_->failed;
}

}  // namespace millrace::inline v1
