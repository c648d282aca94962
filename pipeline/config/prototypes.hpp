// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "millrace/catalogue.hpp"

namespace millrace::inline v1 {

/// A stage object and the settings that are bound to it.
struct StageWithOptions {
  std::unique_ptr<Stage> stage;
  Options options;
};

/// Makes a stage; throws Error where its plugin cannot be opened.
StageWithOptions make_stage(const Catalogue::Entry& entry);

/// A stage of the catalogue with its defaults, to look at.
struct Prototype {
  const Catalogue::Entry* entry = nullptr;
  StageWithOptions made;
};

/// The stages of a catalogue while a file is checked: each is made at most once, and only when the
/// file is about it, since making one may open a plugin.
class Prototypes {
 public:
  explicit Prototypes(const Catalogue& catalogue) : catalogue_(catalogue) {}

  const Catalogue::Entry* find(std::string_view name) const { return catalogue_.find(name); }
  std::vector<std::string> names() const;
  /// Of a stage that is not there: why, what was probably meant, or where to look.
  std::string hint_for(const std::string& name) const;

  /// Null where nothing is known of such a stage.
  const std::string* why_left_out(std::string_view name) const {
    return catalogue_.why_left_out(name);
  }
  /// Where a key that is unknown at its place belongs: "'quality' is valid under 'encode'",
  /// "'memory' stands in 'run'"; empty where nothing has such a key.
  std::string place_of(const std::string& key);
  /// The first stage that is built in and has such an option; empty: none.
  std::string owner_of(const std::string& option);

  /// Null where there is no such stage or it cannot be made.
  const Prototype* of(std::string_view name);
  /// Those that the plan may put in by itself, by name: the ones that are built in, or those of
  /// plugins, which are opened for it.
  const std::vector<const Prototype*>& converters(bool of_plugins = false);
  /// The sources that are built in.
  std::vector<std::string> sources();

 private:
  const Catalogue& catalogue_;
  std::map<std::string, std::unique_ptr<Prototype>, std::less<>> made_;
  std::map<bool, std::vector<const Prototype*>> converters_;  // by of_plugins
};

}  // namespace millrace::inline v1
