// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/guarded.hpp"

#include "millrace/error.hpp"

namespace millrace::inline v1 {
namespace {

thread_local const HeldLock* innermost = nullptr;

}  // namespace

HeldLock::HeldLock(const void* lock) : lock_(lock), outer_(innermost) {
  for (const HeldLock* held = outer_; held; held = held->outer_)
    if (held->lock_ == lock)
      throw Error(ErrorKind::internal, "a guarded value is asked for by who holds its lock");
  innermost = this;
}

HeldLock::~HeldLock() { innermost = outer_; }

std::unique_lock<std::mutex> FairLock::turn() {
  std::unique_lock lock(mutex_);
  const std::uint64_t ticket = last_++;
  changed_.wait(lock, [&] { return next_ == ticket && !writing_; });
  return lock;
}

void FairLock::lock() {
  auto lock = turn();
  changed_.wait(lock, [&] { return readers_ == 0; });
  writing_ = true;
  ++next_;
}

void FairLock::unlock() noexcept {
  const std::lock_guard lock(mutex_);
  writing_ = false;
  if (next_ != last_) changed_.notify_all();
}

void FairLock::lock_shared() {
  const auto lock = turn();
  ++readers_;
  ++next_;
  if (next_ != last_) changed_.notify_all();
}

void FairLock::unlock_shared() noexcept {
  const std::lock_guard lock(mutex_);
  if (--readers_ == 0 && next_ != last_) changed_.notify_all();
}

}  // namespace millrace::inline v1
