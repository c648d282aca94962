// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "millrace/semaphore.hpp"

#include <cassert>
#include <limits>
#include <string>

#include "millrace/error.hpp"
#include "millrace/interrupt.hpp"

namespace millrace::inline v1 {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();

Error misuse(const std::string& message) { return {ErrorKind::internal, message}; }

}  // namespace

Permit::~Permit() {
  if (owner_) owner_->put_back(weight_);
}

Permit Permit::split(std::uint64_t n) {
  check_holds(n);
  weight_ -= n;
  return {owner_, n};
}

void Permit::release(std::uint64_t n) {
  check_holds(n);
  weight_ -= n;
  if (owner_) owner_->put_back(n);
}

void Permit::correct(std::uint64_t n) {
  if (!owner_) throw misuse("a permit that was moved from cannot be corrected");
  owner_->reweigh(weight_, n);
  weight_ = n;
}

void Permit::check_holds(std::uint64_t n) const {
  if (n > weight_)
    throw misuse("a permit of " + std::to_string(weight_) + " cannot give " + std::to_string(n));
}

Semaphore::Semaphore(std::uint64_t total) : total_(total), free_(static_cast<std::int64_t>(total)) {
  if (total == 0 || total > most)
    throw misuse("a semaphore of " + std::to_string(total) + ": must be 1.." +
                 std::to_string(most));
}

Semaphore::~Semaphore() { assert(waiters_.empty() && free_ == static_cast<std::int64_t>(total_)); }

std::optional<Permit> Semaphore::acquire(const Context& context, std::uint64_t n) {
  const std::int64_t weight = checked(n);
  if (context.done()) return std::nullopt;
  if (auto permit = try_acquire(n)) return permit;
  Waiter self{weight, {}};
  const Interrupt interrupt(context, mutex_, self.woken);
  std::unique_lock lock(mutex_);
  if (take(weight)) return Permit(this, n);
  const auto place = waiters_.insert(waiters_.end(), &self);
  while (!self.served && !context.done()) interrupt.wait(lock);
  if (!context.done()) return Permit(this, n);
  // An end that came along with the permit wins.
  if (!self.served) waiters_.erase(place);
  give(self.served ? weight : 0);
  return std::nullopt;
}

std::optional<Permit> Semaphore::try_acquire(std::uint64_t n) {
  const std::int64_t weight = checked(n);
  const std::lock_guard lock(mutex_);
  return take(weight) ? std::optional(Permit(this, n)) : std::nullopt;
}

std::int64_t Semaphore::free() const {
  const std::lock_guard lock(mutex_);
  return free_;
}

std::size_t Semaphore::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiters_.size();
}

std::int64_t Semaphore::checked(std::uint64_t n) const {
  if (n > total_)
    throw misuse(std::to_string(n) + " is more than the semaphore's total of " +
                 std::to_string(total_));
  return static_cast<std::int64_t>(n);
}

void Semaphore::put_back(std::uint64_t n) noexcept {
  const std::lock_guard lock(mutex_);
  give(static_cast<std::int64_t>(n));
}

void Semaphore::reweigh(std::uint64_t held, std::uint64_t wanted) {
  const std::lock_guard lock(mutex_);
  std::int64_t after = 0;
  if (wanted > most || __builtin_sub_overflow(free_ + static_cast<std::int64_t>(held),
                                              static_cast<std::int64_t>(wanted), &after))
    throw misuse("a permit cannot be corrected to " + std::to_string(wanted));
  free_ = after;
  give(0);
}

bool Semaphore::take(std::int64_t weight) noexcept {
  if (!waiters_.empty() || weight > free_) return false;
  free_ -= weight;
  return true;
}

// Notified under the lock: the waiter may be gone right after it.
void Semaphore::give(std::int64_t weight) noexcept {
  free_ += weight;
  while (!waiters_.empty() && waiters_.front()->weight <= free_) {
    Waiter& first = *waiters_.front();
    waiters_.pop_front();
    free_ -= first.weight;
    first.served = true;
    first.woken.notify_one();
  }
}

}  // namespace millrace::inline v1
