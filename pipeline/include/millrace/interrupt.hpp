// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "millrace/context.hpp"
#include "millrace/linked.hpp"

namespace millrace::inline v1 {

/// For those who build something that waits: while it lives, the end of a context by cancel()
/// notifies `changed`, having held `mutex` in between. The waiter asks the context under that mutex
/// before every wait, and waits no longer than to the context's deadline, which notifies nobody.
///
/// Made before `mutex` is locked and destroyed after it is unlocked: cancel() locks the context
/// first and `mutex` second. Costs two turns of the context's lock and allocates nothing.
class Interrupt : Linked<Interrupt> {
 public:
  Interrupt(const Context& context, std::mutex& mutex, std::condition_variable& changed) noexcept;
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Waits once: for a notification or the deadline, whichever is first. `lock` holds the mutex.
  void wait(std::unique_lock<std::mutex>& lock) const;

 private:
  friend struct Context::Node;
  friend class LinkedList<Interrupt>;
  enum class Stage { listed, telling, told };
  void wake() noexcept;

  Context::Node& node_;
  std::mutex& mutex_;
  std::condition_variable& changed_;
  std::atomic<Stage> stage_ = Stage::listed;
};

}  // namespace millrace::inline v1
