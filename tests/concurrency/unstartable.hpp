// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <pthread.h>

#include <cstddef>

namespace millrace_test {

/// While it lives, the system refuses every new thread: the stack asked for is larger than the
/// address space.
class Unstartable {
 public:
  Unstartable() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_getattr_default_np(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~Unstartable() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  Unstartable(const Unstartable&) = delete;
  Unstartable& operator=(const Unstartable&) = delete;

 private:
  pthread_attr_t before_;
};

}  // namespace millrace_test
