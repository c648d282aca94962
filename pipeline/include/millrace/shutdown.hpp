// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "millrace/context.hpp"

namespace millrace::inline v1 {

/// The two ways to end a piece of work early: drain() lets nothing new begin and what is under way
/// end, cancel() ends that too. Whoever admits work asks admission(), whoever works asks work().
/// Either may be called again, from several threads: it is one shutdown. A handle: copies mean the
/// same. Neither call waits; whoever started the work joins it.
/// [any thread, at once; not from a signal handler, with no lock held]
///
///     const Shutdown shutdown;
///     std::jthread worker([&] {
///       while (auto job = jobs.pop(shutdown.admission())) work(shutdown.work(), *job);
///     });
///     shutdown.drain();                                          // the present job ends,
///     if (!ended_within(std::chrono::seconds(30))) shutdown.cancel();  // but not for ever
class Shutdown {
 public:
  Shutdown() = default;

  void drain() const noexcept { admission_.cancel(); }
  void cancel() const noexcept { work_.cancel(); }

  const Context& admission() const noexcept { return admission_; }
  const Context& work() const noexcept { return work_; }

 private:
  Context work_;
  Context admission_ = work_.child();  // nobody is to wait for a place among what has ended
};

}  // namespace millrace::inline v1
