// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace millrace::inline v1 {

template <class Signature>
class Callable;

/// A function object that is moved and never copied, so that what it holds may be move-only (GCC 12
/// has no std::move_only_function). It owns a decayed copy of what it is made from.
template <class R, class... A>
class Callable<R(A...)> {
 public:
  template <class F>
  requires(!std::same_as<std::remove_cvref_t<F>, Callable> &&
           std::is_invocable_r_v<R, std::decay_t<F>&, A...>)
      Callable(F&& function)  // implicit, as std::function's
      : held_(std::make_unique<Held<std::decay_t<F>>>(std::forward<F>(function))) {}

  R operator()(A... arguments) { return held_->call(std::forward<A>(arguments)...); }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual R call(A&&... arguments) = 0;
  };
  template <class F>
  struct Held final : Base {
    template <class G>
    explicit Held(G&& from) : function(std::forward<G>(from)) {}
    R call(A&&... arguments) override {
      return static_cast<R>(std::invoke(function, std::forward<A>(arguments)...));
    }
    F function;
  };
  std::unique_ptr<Base> held_;
};

}  // namespace millrace::inline v1
