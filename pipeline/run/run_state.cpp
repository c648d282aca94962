// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "run/run_state.hpp"

namespace millrace::inline v1 {

void RunState::fail(const Error& error) {
  {
    const std::lock_guard lock(mutex_);
    if (!message_) {
      kind_ = error.kind();
      message_ = error.what();
    }
  }
  stop();
}

void RunState::rethrow() {
  const std::lock_guard lock(mutex_);
  if (message_) throw Error(kind_, *message_);
}

}  // namespace millrace::inline v1
