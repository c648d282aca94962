// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/stage.hpp"

namespace millrace::inline v1 {

/// How a stage comes into a pipeline, other than by its name.
enum class Role {
  stage,      ///< In no other way.
  converter,  ///< The plan puts it in where an edge carries what it takes and the next stage wants
              ///< what it gives.
  decoder,    ///< From bytes to pictures: `decode` gives it what it does not know itself. Skips an
              ///< item of a format that it does not know either.
};

/// What goes into a stage and comes out of it.
struct Flow {
  std::vector<PayloadKind> takes;    ///< Empty: a source.
  std::optional<PayloadKind> gives;  ///< None: a sink.
};

/// Every stage there is, by name. Filled by registrations before main() and by plugin manifests.
/// An entry stays where it is once added. [filled by one thread, then read by any]
class Catalogue {
 public:
  struct Entry {
    std::string name;
    std::string summary;  ///< One sentence.
    Role role = Role::stage;
    std::function<std::unique_ptr<Stage>()> make;  ///< Opens the plugin where it is in one.
    std::string plugin = {};                       ///< The library it comes from; empty: built in.
    std::optional<Flow> flow = {};  ///< As a plugin's manifest tells it, unopened; or none.
  };

  static Catalogue& instance();

  /// A second stage of a name is kept out, and told by conflicts(); the same stage of the same
  /// plugin again is nothing new.
  void add(Entry entry) noexcept;
  const Entry* find(std::string_view name) const noexcept;
  std::vector<const Entry*> all() const;  ///< By name.
  const std::vector<std::string>& conflicts() const noexcept { return conflicts_; }

  /// A stage of a plugin that cannot be used, and why, for who asks for it. Takes nobody's place.
  void leave_out(const std::string& name, std::string reason);
  /// Null where nothing is known of such a stage.
  const std::string* why_left_out(std::string_view name) const noexcept;

  /// What this thread adds to instance() while `open` runs, which is kept out of it: the stages of
  /// a plugin's library.
  static std::vector<Entry> collect(const std::function<void()>& open);

 private:
  std::map<std::string, Entry, std::less<>> entries_;
  std::map<std::string, std::string, std::less<>> left_out_;
  std::vector<std::string> conflicts_;
};

/// A namespace-scope object of this type in a stage's file puts the stage into the catalogue.
template <class S>
struct Register {
  Register(const char* name, const char* summary, Role role = Role::stage) noexcept {
    Catalogue::instance().add({name, summary, role, [] { return std::make_unique<S>(); }, {}});
  }
};

}  // namespace millrace::inline v1
