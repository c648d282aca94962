// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace millrace::inline v1 {

/// Threads that are all joined before this object is gone. Whoever owns it sees to it that they
/// end. [one thread]
class Threads {
 public:
  Threads() = default;
  ~Threads() { join(); }
  Threads(Threads&& other) noexcept : threads_(std::exchange(other.threads_, {})) {}
  Threads& operator=(Threads&&) = delete;

  /// `work` must not throw. The system shows the first 15 bytes of the name. Throws Error
  /// (resource) when there can be no further thread; those that run are not touched.
  void start(const std::string& name, std::function<void()> work);
  void join() noexcept;

 private:
  std::vector<std::thread> threads_;
};

}  // namespace millrace::inline v1
