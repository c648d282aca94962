// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "millrace/catalogue.hpp"

namespace millrace {

/// What a plugin's library offers, said in a file beside it, so that listing and checking need not
/// open the library. One fact per line, `#` starts a comment:
///
///     millrace 0.1.0
///     library ocr.so
///     stage ocr stage Read the text on a page with Tesseract.
///     flow ocr image -> text
///
/// A plugin in C has a line such as `abi 1.0`, the version of that interface, in place of the
/// first, and a line `version` with its own. A stage's line has its name, its role (as in Role) and
/// its summary; a line `flow`, which may be missing, the kinds that it takes and the one it gives.
struct Manifest {
  struct Stage {
    std::string name;
    Role role = Role::stage;
    std::string summary;
    std::optional<Flow> flow = {};
  };

  std::string built_for;          ///< The version of Millrace; empty for a plugin in C.
  std::filesystem::path library;  ///< Absolute; in the file, relative to the file's folder.
  std::vector<Stage> stages;
  std::string interface;    ///< The version of the C interface; empty for a plugin in C++.
  std::string own_version;  ///< The plugin's, where it tells one.

  /// Throws Error (plugin) that names the file, the line and what is allowed there.
  static Manifest read(const std::filesystem::path& file);

  /// Why a library of it does not fit this Millrace; none where it does.
  std::optional<std::string> misfit() const;

  /// Through a temporary in the same folder; throws Error (plugin).
  void write(const std::filesystem::path& file) const;
};

/// The manifest of a library, made by opening it; throws Error (plugin).
Manifest describe(const std::filesystem::path& library);

/// Where describe()'s result belongs: beside the library.
std::filesystem::path manifest_path(std::filesystem::path library);

}  // namespace millrace
