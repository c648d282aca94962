// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "millrace/context.hpp"
#include "millrace/fault.hpp"
#include "millrace/guarded.hpp"

namespace millrace::inline v1 {

/// What OnceValue is made of: who computes, and who waits for it. [any thread, at once]
class Once {
 public:
  /// Waits while another thread computes. True: the caller computes now, and calls succeed() or
  /// fail() then. False: it is done. Throws what fail() kept, or Error (cancelled).
  bool begin(const Context& context);
  void succeed() noexcept;
  [[noreturn]] void fail();  ///< Inside a catch block.

 private:
  enum class State : unsigned char { untouched, computing, done, failed };
  void end(State state) noexcept;

  std::atomic<State> state_ = State::untouched;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread::id computing_;
  std::optional<Fault> fault_;
};

/// A value that is computed by whoever needs it first, once; others wait for it as long as their
/// context allows. What the computing throws is everybody's error, now and later: it is not tried
/// again. Only a computing that was cancelled counts as none. [any thread, at once]
///
///     OnceValue<Table> table;
///     const Table& ready = table.get(context, [&] { return read_table(file); });
template <class T>
class OnceValue {
 public:
  OnceValue() = default;
  OnceValue(const OnceValue&) = delete;
  OnceValue& operator=(const OnceValue&) = delete;

  /// `compute` is called without a lock. A value that is there is given even if the context has
  /// ended, for it costs nothing. Throws Error (cancelled) when the context ends first, and Error
  /// (internal) where computing the value asks for the value.
  template <class F>
  const T& get(const Context& context, F&& compute) {
    if (once_.begin(context)) {
      try {
        value_.emplace(std::invoke(std::forward<F>(compute)));
      } catch (...) {
        once_.fail();
      }
      once_.succeed();
    }
    return *value_;
  }

 private:
  Once once_;
  std::optional<T> value_;
};

/// Calls for one key at the same time are one: the first computes, and those that come meanwhile
/// get the same value or the same error. The next call after that starts anew: nothing is kept.
/// [any thread, at once]
///
///     SingleFlight<std::string, Page> pages;
///     std::shared_ptr<const Page> page = pages.get(context, url, [&] { return fetch(url); });
template <class Key, class T>
class SingleFlight {
 public:
  /// As OnceValue::get().
  template <class F>
  std::shared_ptr<const T> get(const Context& context, const Key& key, F&& compute) {
    const auto flight = flights_.with([&](Flights& flights) {
      auto& place = flights[key];
      if (!place) place = std::make_shared<OnceValue<T>>();
      return place;
    });
    const T& value = flight->get(context, [&] {
      const Landing landing{flights_, key, *flight};  // before anyone has the result
      return std::invoke(std::forward<F>(compute));
    });
    return {flight, &value};
  }

 private:
  using Flights = std::map<Key, std::shared_ptr<OnceValue<T>>>;
  struct Landing {
    ~Landing() {
      flights.with([this](Flights& all) {
        const auto place = all.find(key);
        if (place != all.end() && place->second.get() == &flight) all.erase(place);
      });
    }
    Guarded<Flights>& flights;
    const Key& key;
    const OnceValue<T>& flight;
  };
  Guarded<Flights> flights_;
};

}  // namespace millrace::inline v1
