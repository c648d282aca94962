// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "millrace/option.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

// What only the engine's own settings are made of, written and read like an option.

/// The waits of a Retry: `2s`, the first one, or `1s..30s`, the first and the longest.
struct Backoff {
  Duration first = Retry().first_wait;
  Duration longest = Retry().longest_wait;
  bool operator==(const Backoff&) const = default;
};

/// `2GiB`, or `50%` of what the process may use, or `auto`.
struct MemoryShare {
  double percent = 0;       ///< 0: it is given in bytes.
  std::uint64_t bytes = 0;  ///< 0 as well: auto.
  bool operator==(const MemoryShare&) const = default;
};

/// The name of a stage in its pipeline.
struct StageId {
  std::string name;
};

/// `decode`, or `[left, right]`: ids, with their places.
struct From {
  std::vector<Value> ids;
};

/// `workers: 3`, `cpu` or `2*cpu`.
struct Workers {
  std::size_t count = 1;
  bool per_cpu = false;
};

/// `20`, or `auto`.
struct InFlight {
  std::optional<std::int64_t> count;
};

template <>
struct OptionType<Backoff> {
  static std::string name();
  static std::optional<std::string> parse(const Value& value, Backoff& to);
  static std::string print(const Backoff& value);
  static std::optional<double> number(const Backoff&) { return std::nullopt; }
  static std::string schema();
};

template <>
struct OptionType<MemoryShare> {
  static std::string name();
  static std::optional<std::string> parse(const Value& value, MemoryShare& to);
  static std::string print(const MemoryShare& value);
  static std::optional<double> number(const MemoryShare&) { return std::nullopt; }
  static std::string schema();
};

/// `20/s`, `90/min`, `5000/h`.
template <>
struct OptionType<Rate> {
  static std::string name();
  static std::optional<std::string> parse(const Value& value, Rate& to);
  static std::string print(const Rate& value);
  static std::optional<double> number(const Rate&) { return std::nullopt; }
  static std::string schema();
};

template <>
struct OptionType<StageId> {
  static std::string name();
  static std::optional<std::string> parse(const Value& value, StageId& to);
  static std::string print(const StageId& value) { return value.name; }
  static std::optional<double> number(const StageId&) { return std::nullopt; }
  static std::string schema();
};

template <>
struct OptionType<From> {
  static std::string name();
  static std::optional<std::string> parse(const Value& value, From& to);
  static std::string print(const From& value);
  static std::optional<double> number(const From&) { return std::nullopt; }
  static std::string schema();
};

template <>
struct OptionType<Workers> {
  static std::string name();
  static std::optional<std::string> parse(const Value& value, Workers& to);
  static std::string print(const Workers& value);
  static std::optional<double> number(const Workers&) { return std::nullopt; }
  static std::string schema();
};

template <>
struct OptionType<InFlight> {
  static std::string name();
  static std::optional<std::string> parse(const Value& value, InFlight& to);
  static std::string print(const InFlight& value);
  static std::optional<double> number(const InFlight& value);
  static std::string schema();
};

}  // namespace millrace::inline v1
