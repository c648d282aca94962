// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tbb_end.hpp"

#include <oneapi/tbb/global_control.h>

#include <new>

namespace millrace::testing {

void end_tbb_workers() noexcept {
  try {
    oneapi::tbb::task_scheduler_handle handle{oneapi::tbb::attach{}};
    oneapi::tbb::finalize(handle, std::nothrow);
  } catch (...) {  // they stay, and show in the count
  }
}

}  // namespace millrace::testing
