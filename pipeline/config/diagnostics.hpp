// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// The complaints about one file, collected while it is read and checked.
class Diagnostics {
 public:
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  void error(Position where, int length, std::string message, std::string hint = {}) {
    add(Diagnostic::Severity::error, where, length, std::move(message), std::move(hint));
  }
  void error(const Value& at, std::string message, std::string hint = {}) {
    error(at.where, at.length, std::move(message), std::move(hint));
  }
  void error(const Value::Entry& key, std::string message, std::string hint = {}) {
    error(key.where, key.length, std::move(message), std::move(hint));
  }
  void warning(const Value::Entry& key, std::string message, std::string hint = {}) {
    add(Diagnostic::Severity::warning, key.where, key.length, std::move(message), std::move(hint));
  }
  void warning(const Value& at, std::string message, std::string hint = {}) {
    add(Diagnostic::Severity::warning, at.where, at.length, std::move(message), std::move(hint));
  }

  std::size_t errors() const { return errors_; }
  const std::string& file() const { return file_; }

  /// All of them by position, without repeats (an alias says the same thing twice).
  std::vector<Diagnostic> sorted() const;

 private:
  void add(Diagnostic::Severity severity, Position where, int length, std::string message,
           std::string hint);

  std::string file_;
  std::size_t errors_ = 0;
  std::vector<Diagnostic> all_;
};

/// `name` in single quotes, as messages write what the user wrote.
inline std::string quote(std::string_view name) { return "'" + std::string(name) + "'"; }

/// "a, b or c", with `last` before the last; a long list ends early.
std::string join(const std::vector<std::string>& names, const std::string& last);

}  // namespace millrace::inline v1
