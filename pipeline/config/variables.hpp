// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/diagnostics.hpp"
#include "millrace/value.hpp"

namespace millrace::inline v1 {

/// Where the value of an entry comes from.
Provenance provenance_of(const Value::Entry& entry);
/// The same of every entry of a map.
Provenances provenances_of(const Value& map);

/// The variables of a pipeline, and their replacement in scalars: `${NAME}`, `${NAME:-text}` (where
/// NAME has no value or an empty one), `${env:NAME}`, `${env:NAME:-text}`; `$${` is a plain `${`.
/// The text behind `:-` may use variables too.
///
/// A variable written without a value must be set from outside before it is used. A scalar in which
/// something was replaced has its type from its option, even if it is quoted.
class Variables {
 public:
  explicit Variables(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Each value may use the variables above it. `sets` override, as they are.
  void define(const Value& vars, const std::map<std::string, std::string>& sets);
  /// For a pipeline without vars.
  void refuse(const std::map<std::string, std::string>& sets);

  /// In every scalar below `tree`; what cannot be replaced is complained about and left broken.
  void replace_in(Value& tree);

  /// Warns of variables that nothing used; says nothing after a complaint.
  void warn_of_unused() const;

  const std::map<std::string, std::string>& values() const { return values_; }

 private:
  /// A piece of a scalar in which a complaint is made.
  struct Place {
    const Value& scalar;
    std::size_t offset = 0;  // in the scalar's text
    std::size_t size = 0;
    int depth = 0;  // of defaults within defaults
  };

  using Uses = std::vector<VariableUse>;

  /// What is put in is noted in `uses`.
  std::optional<std::string> expand(std::string_view text, Place place, Uses& uses);
  std::optional<std::string> value_of(std::string_view reference, const Place& place, Uses& uses);
  void note_use(const std::string& name, bool from_environment, bool fallback, Uses& uses) const;
  std::optional<std::string> environment(const std::string& name, const Place& place,
                                         bool has_default);
  std::optional<std::string> variable(const std::string& name, const Place& place,
                                      bool has_default);
  std::nullopt_t complain(Code code, const Place& place, std::string message, Advice advice = {});
  void replace_scalar(Value& scalar);
  std::vector<std::string> names() const;

  Diagnostics& diagnostics_;
  bool complained_ = false;
  std::size_t total_ = 0;  // bytes that came of replacing
  const Value* vars_ = nullptr;
  std::vector<const Value::Entry*> declared_;  // so far
  std::set<std::string> unset_;                // declared without a value
  std::set<std::string> broken_;               // complained about
  bool are_broken_ = false;                    // all of them: nothing is known of any
  std::set<std::string> used_;
  std::map<std::string, std::string> values_;
  std::map<std::string, Uses> behind_;  // each of values_: itself, and what it uses
};

}  // namespace millrace::inline v1
