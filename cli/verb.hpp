// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"

namespace millrace::cli {

/// What comes behind `millrace`: one file in cli/verbs/ for each.
class Verb {
 public:
  virtual ~Verb() = default;
  /// Declares what it takes, bound to its members. Called once, before run(), and for help.
  virtual void arguments(Arguments&) {}
  /// Returns the program's exit status. Throws Error.
  virtual int run() = 0;
};

/// Every verb there is, filled by registrations before main(). [one thread]
class Verbs {
 public:
  /// The headings of `millrace --help`; what only programs call is not told there.
  enum class Group { work, pipelines, program, hidden };
  struct Entry {
    std::string name;  ///< One word, or two: "new plugin".
    Group group;
    std::string summary;  ///< A few words, without a full stop.
    std::string example;  ///< One or more lines, as they would be typed.
    std::function<std::unique_ptr<Verb>()> make;
  };

  static Verbs& instance();
  void add(Entry entry) noexcept { entries_.push_back(std::move(entry)); }

  /// The one that the words begin with; of two, the one that takes more of them. Null: none.
  const Entry* find(const std::vector<std::string>& words) const;
  std::vector<const Entry*> all() const;  ///< By name, without the hidden ones.

 private:
  std::vector<Entry> entries_;
};

/// A namespace-scope object of this type in a verb's file makes the verb known.
template <class V>
struct RegisterVerb {
  RegisterVerb(const char* name, Verbs::Group group, const char* summary,
               const char* example) noexcept {
    Verbs::instance().add({name, group, summary, example, [] { return std::make_unique<V>(); }});
  }
};

}  // namespace millrace::cli
