// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "millrace/error.hpp"

namespace millrace::cli {

/// What the program ends with; 128 + the signal's number after a signal.
enum Exit : int {
  all_done = 0,
  some_failed = 1,
  wrong_usage = 2,  ///< Of the command line or the pipeline's file.
  stopped = 3,      ///< By on_error.
  forced = 4,       ///< Something did not end in time.
};

/// Of an error that concerns the whole run: a setting, unless the machine or we ourselves are at
/// fault.
inline int status_of(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::resource:
    case ErrorKind::transient:
    case ErrorKind::internal:
      return Exit::some_failed;
    default:
      return Exit::wrong_usage;
  }
}

}  // namespace millrace::cli
