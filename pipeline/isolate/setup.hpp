// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isolate/wire.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::inline v1 {

/// What another process needs to make the same stage.
struct Setup {
  std::string name;
  std::string plugin;  ///< The library that it comes from; empty: built in.
  std::vector<std::pair<std::string, std::string>> options;  ///< As Option::print() writes them.
  std::optional<std::uint64_t> memory;
  Demand demand;          ///< What its output is needed for, without the functions.
  bool is_sized = false;  ///< Whether there is a `target_size`, to be asked for.
};

Setup setup_of(const PlannedStage& planned);

void put_setup(Writer& fields, const Setup& setup);
Setup get_setup(Reader& fields);

/// Sets an option to what print() wrote of it; a list, say, is YAML. A complaint, or none.
std::optional<std::string> assign_printed(Option& option, const std::string& printed);

/// The stage, with its options. Throws Error (plugin) where it is not the one that was planned.
std::unique_ptr<Stage> make_stage(const Setup& setup);

}  // namespace millrace::inline v1
