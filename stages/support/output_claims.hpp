// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <mutex>
#include <string>
#include <unordered_map>

namespace millrace::inline v1 {

/// The outputs that one run writes, so that no two items write the same one. Paths that differ only
/// in the case of ASCII letters are one: on many disks they are one file. [any thread, at once]
class OutputClaims {
 public:
  /// Gives the output back, unless the item keeps it.
  class Claim {
   public:
    Claim(OutputClaims& claims, std::string key) noexcept
        : claims_(&claims), key_(std::move(key)) {}
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    ~Claim();
    void keep() noexcept { claims_ = nullptr; }

   private:
    OutputClaims* claims_;
    std::string key_;
  };

  /// Throws Error (input) where another item, or this one before, has the output.
  [[nodiscard]] Claim claim(const std::string& output, const std::string& item);
  void clear();

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::string> items_;  // by output in small letters; guarded
};

}  // namespace millrace::inline v1
