// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "millrace/option.hpp"
#include "plugin/abi/schema.hpp"

namespace millrace::abi {

/// The settings of one stage of a C plugin: what mr_options is.
class OptionValues {
 public:
  using Texts = std::vector<std::string>;
  /// In the order of OptionKind.
  using Any = std::variant<std::optional<std::int64_t>, std::optional<double>, std::optional<bool>,
                           std::optional<std::string>, std::optional<Texts>>;

  /// With the schema's defaults; throws Error (plugin) where one is not what its own option allows.
  explicit OptionValues(const std::vector<OptionSpec>& specs);
  OptionValues(const OptionValues&) = delete;
  OptionValues& operator=(const OptionValues&) = delete;

  /// Declares them as a built-in stage does its members.
  void declare(Options& options);

  /// Null where the schema has no such option.
  const Any* find(std::string_view name) const;
  Texts names() const;
  /// As C reads them. The first call is made when nothing is assigned any more. [any thread, at
  /// once]
  struct ForC {
    std::string json;  ///< One object with all that have a value.
    std::map<const Any*, std::vector<const char*>> lists;
  };
  const ForC& for_c() const;

 private:
  const std::vector<OptionSpec>& specs_;
  std::deque<Any> values_;  // by spec; in place, since Options binds to them
  mutable std::once_flag once_;
  mutable ForC for_c_;
};

}  // namespace millrace::abi
