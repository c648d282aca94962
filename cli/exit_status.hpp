// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace millrace::cli {

/// What the program ends with; 128 + the signal's number after a signal.
enum Exit : int {
  all_done = 0,
  some_failed = 1,
  wrong_usage = 2,  ///< Of the command line or the pipeline's file.
  stopped = 3,      ///< By on_error.
  forced = 4,       ///< Something did not end in time.
};

}  // namespace millrace::cli
