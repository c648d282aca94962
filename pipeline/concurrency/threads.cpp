// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "concurrency/threads.hpp"

#include <pthread.h>

#include <system_error>

#include "millrace/error.hpp"

namespace millrace::inline v1 {

void Threads::start(const std::string& name, std::function<void()> work) {
  threads_.reserve(threads_.size() + 1);  // a started thread must have a place
  const std::string shown = name.substr(0, 15);
  try {
    threads_.emplace_back([shown, work = std::move(work)] {
      pthread_setname_np(pthread_self(), shown.c_str());
      work();
    });
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::resource, "cannot start thread " + std::to_string(threads_.size() + 1) +
                                         ": " + error.code().message());
  }
}

void Threads::join() noexcept {
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace millrace::inline v1
