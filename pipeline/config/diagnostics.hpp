// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/codes.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// What to do about a mistake: a sentence, a change of the file, or both.
struct Advice {
  std::string hint;
  std::optional<Fix> fix;

  Advice() = default;
  Advice(const char* text) : hint(text) {}
  Advice(std::string text) : hint(std::move(text)) {}
  /// `text` in place of what is marked.
  Advice(std::string hint_text, std::string text)
      : hint(std::move(hint_text)), fix(Fix{{}, 0, std::move(text)}) {}

  bool empty() const { return hint.empty() && !fix; }
};

/// The complaints about one file, collected while it is read and checked.
class Diagnostics {
 public:
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  void error(Code code, Position where, int length, std::string message, Advice advice = {}) {
    add(Diagnostic::Severity::error, code, where, length, std::move(message), std::move(advice));
  }
  void error(Code code, const Value& at, std::string message, Advice advice = {}) {
    error(code, at.where, at.length, std::move(message), mending(at, std::move(advice)));
  }
  void error(Code code, const Value::Entry& key, std::string message, Advice advice = {}) {
    error(code, key.where, key.length, std::move(message), std::move(advice));
  }
  void warning(Code code, const Value::Entry& key, std::string message, Advice advice = {}) {
    add(Diagnostic::Severity::warning, code, key.where, key.length, std::move(message),
        std::move(advice));
  }
  void warning(Code code, const Value& at, std::string message, Advice advice = {}) {
    add(Diagnostic::Severity::warning, code, at.where, at.length, std::move(message),
        mending(at, std::move(advice)));
  }

  /// The last complaint; there must be one.
  const Diagnostic& last() const { return all_.back(); }

  std::size_t errors() const { return errors_; }
  const std::string& file() const { return file_; }

  /// Gives each its path in `root`, whose variables may be replaced.
  void find_paths(const Value& root);

  /// All of them by position, without repeats (an alias says the same thing twice).
  std::vector<Diagnostic> sorted() const;

 private:
  void add(Diagnostic::Severity severity, Code code, Position where, int length,
           std::string message, Advice advice);
  /// What came of variables is not mended where they are used.
  static Advice mending(const Value& at, Advice advice) {
    if (at.expanded()) advice.fix.reset();
    return advice;
  }

  std::string file_;
  std::size_t errors_ = 0;
  std::vector<Diagnostic> all_;
};

/// `name` in single quotes, as messages write what the user wrote.
inline std::string quote(std::string_view name) { return "'" + std::string(name) + "'"; }

/// "a, b or c", with `last` before the last; a long list ends early.
std::string join(const std::vector<std::string>& names, const std::string& last);

/// "did you mean 'resize'?" with that name as the change, or that other tools' word for it is
/// meant; empty when nothing is near.
Advice suggest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace millrace::inline v1
