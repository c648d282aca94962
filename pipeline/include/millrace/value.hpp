// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace millrace::inline v1 {

/// A place in a file, counted from 1; 0 means not in a file.
struct Position {
  int line = 0;
  int column = 0;  ///< In bytes.
  bool operator==(const Position&) const = default;
};

/// What stands behind a `${...}` that was replaced.
struct VariableUse {
  enum class From {
    vars,         ///< The file's own value.
    set,          ///< A value from outside, in its place: --set.
    environment,  ///< `${env:NAME}`
    fallback,     ///< The text behind `:-`; NAME, or `env:NAME`, has no value or an empty one.
  };
  From from = From::vars;
  std::string name;  ///< Of the variable.
  Position where;    ///< Its line in `vars`; none where it is not from there.
  bool operator==(const VariableUse&) const = default;
};

/// A piece of configuration as it was written: scalars stay text until the option that takes them
/// gives them a type, so that `012`, `on` and `1e3` mean what the option says.
struct Value {
  enum class Kind { null, scalar, list, map };
  struct Entry;

  Kind kind = Kind::null;
  std::string text;            ///< Of a scalar.
  bool quoted = false;         ///< A quoted scalar is always text.
  std::vector<Value> items;    ///< Of a list.
  std::vector<Entry> entries;  ///< Of a map, in the order written; keys are unique.
  Position where;
  int length = 1;                 ///< Of what is written at `where`, on its first line, in bytes.
  bool broken = false;            ///< It was complained about: what it holds means nothing.
  std::vector<VariableUse> uses;  ///< What was put into `text`, each once; of many, the first few.

  /// Its text came of variables: the file says something else there.
  bool expanded() const { return !uses.empty(); }

  static Value scalar(std::string text, Position where = {});
};

struct Value::Entry {
  std::string key;
  Position where;  ///< Of the key.
  int length = 1;  ///< Of the key as it is written.
  Value value;
};

// Here, since it destroys a Value, which Entry must be complete for.
inline Value Value::scalar(std::string text, Position where) {
  Value value;
  value.kind = Kind::scalar;
  value.text = std::move(text);
  value.where = where;
  return value;
}

}  // namespace millrace::inline v1
