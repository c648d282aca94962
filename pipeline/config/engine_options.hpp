// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "config/engine_types.hpp"
#include "millrace/option.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// The engine's own settings, declared as a stage declares its options: reading, messages, the
/// schema and the reference pages are made from these.
struct EngineOptions {
  Options plain;  ///< Each as one value.
  /// Those that may be a map as well (`retry: { attempts: 3 }`), with what stands in it.
  std::map<std::string, Options, std::less<>> inside;

  Options& within(const std::string& name) { return inside.find(name)->second; }
};

using ErrorAction = std::optional<OnError::Action>;

/// What stands in `run`. Bound to itself: neither copied nor moved.
struct RunOptions {
  MemoryShare memory;
  InFlight in_flight;
  Order order = RunSettings().order;
  ErrorAction on_error = RunSettings().on_error.action;
  Length max_failures;
  Duration shutdown_timeout = RunSettings().shutdown_timeout;
  EngineOptions declared;

  RunOptions();
  RunOptions(const RunOptions&) = delete;
  RunOptions& operator=(const RunOptions&) = delete;
};

/// What stands beside a stage, likewise.
struct ItemOptions {
  enum class As { process };

  StageId id;
  From from;
  std::optional<Workers> workers;
  std::optional<std::int64_t> queue;
  std::optional<Duration> timeout;
  int attempts = 1;
  Backoff backoff;
  std::optional<Rate> rate;
  ErrorAction on_error;
  Length max_failures;
  std::optional<As> isolate;
  std::optional<ByteSize> memory;
  int crashes = static_cast<int>(Isolate().crashes);
  EngineOptions declared;

  ItemOptions();
  ItemOptions(const ItemOptions&) = delete;
  ItemOptions& operator=(const ItemOptions&) = delete;
};

}  // namespace millrace::inline v1
