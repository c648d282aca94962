// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <exception>
#include <memory>
#include <string_view>
#include <type_traits>

#include "millrace/error.hpp"

namespace millrace::inline v1 {

/// What somebody else's code threw, whatever it was, kept to be looked at later and in another
/// thread. Copies share it. [any thread, at once]
class Fault {
 public:
  /// What is being handled: call it inside a catch block only.
  static Fault current() noexcept;

  /// As the project's own error: itself if it is one, or else a text for it and the kind that fits.
  const Error& error() const noexcept;

  /// Throws what was thrown if it is an Error, and otherwise an Error with that nested in it.
  [[noreturn]] void raise() const;

  const std::exception_ptr& thrown() const noexcept;

 private:
  struct Kept;
  explicit Fault(std::shared_ptr<const Kept> kept) noexcept : kept_(std::move(kept)) {}
  static const Fault& out_of_memory();
  std::shared_ptr<const Kept> kept_;
};

/// Inside a catch block: throws an Error with `name: ` in front of the text of what is being
/// handled, which stays nested in it and is found by is().
///
///     try {
///       fetch(url);
///     } catch (...) {
///       rethrow_in(url);
///     }
[[noreturn]] void rethrow_in(std::string_view name);

/// What is nested in an exception; null if nothing is.
std::exception_ptr cause_of(const std::exception& error) noexcept;
std::exception_ptr cause_of(const std::exception_ptr& thrown) noexcept;

/// Whether it is an E, or something nested in it is: an error keeps its identity however often a
/// name is put in front of it.
template <class E>
bool is(const std::exception_ptr& thrown) {
  for (auto link = thrown; link; link = cause_of(link)) {
    try {
      std::rethrow_exception(link);
    } catch (const E&) {
      return true;
    } catch (...) {  // the next link
    }
  }
  return false;
}

template <class E>
bool is(const std::exception& error) {
  if constexpr (std::is_class_v<E>)
    if (dynamic_cast<const E*>(&error)) return true;
  return is<E>(cause_of(error));
}

template <class E>
bool is(const Fault& fault) {
  return is<E>(fault.thrown());
}

}  // namespace millrace::inline v1
