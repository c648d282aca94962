// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <utility>
#include <variant>

#include "millrace/fault.hpp"

namespace millrace::inline v1 {

/// How one of many calls ended: with a value, with an error, or not at all because nobody began it.
template <class T>
class Outcome {
 public:
  Outcome() = default;  ///< Not started.
  Outcome(T value) : state_(std::in_place_index<1>, std::move(value)) {}
  Outcome(Fault fault) : state_(std::in_place_index<2>, std::move(fault)) {}

  /// What the function gives, or what it throws.
  template <class F>
  static Outcome of(F&& function) {
    try {
      return Outcome(std::forward<F>(function)());
    } catch (...) {
      return Outcome(Fault::current());
    }
  }

  bool not_started() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return state_.index() == 1; }

  /// Only with a value.
  T& operator*() noexcept { return *std::get_if<1>(&state_); }
  const T& operator*() const noexcept { return *std::get_if<1>(&state_); }
  T* operator->() noexcept { return std::get_if<1>(&state_); }
  const T* operator->() const noexcept { return std::get_if<1>(&state_); }

  /// Null without an error.
  const Fault* fault() const noexcept { return std::get_if<2>(&state_); }

  /// The value, moved out; throws the error, or Error (cancelled) if it was not started.
  T take() {
    if (auto* value = std::get_if<1>(&state_)) return std::move(*value);
    if (fault()) fault()->raise();
    throw Error(ErrorKind::cancelled, "not started");
  }

 private:
  std::variant<std::monostate, T, Fault> state_;
};

}  // namespace millrace::inline v1
