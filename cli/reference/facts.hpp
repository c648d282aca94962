// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/prototypes.hpp"
#include "millrace/catalogue.hpp"

namespace millrace::cli {

enum class StageGroup { source, transform, sink };

StageGroup group_of(const Flow& flow);

/// What is told of a stage: the terminal, the pages, the JSON and the schema are made from it.
struct StageFacts {
  const Catalogue::Entry* entry = nullptr;
  StageWithOptions made;                ///< No stage where its plugin cannot be used.
  std::string problem;                  ///< Why not.
  std::vector<std::string> converters;  ///< Those that the plan may put in in front of it.

  const std::string& name() const { return entry->name; }
  Flow flow() const { return {made.stage->takes(), made.stage->gives()}; }
};

/// Every stage of the catalogue, by name; opens plugins.
std::vector<StageFacts> facts_of_all(const Catalogue& catalogue);
/// One of them, with no other plugin opened than its own.
StageFacts facts_of(const Catalogue& catalogue, const Catalogue::Entry& entry);

/// "ocr" of ".../ocr.so"; empty for a stage that is built in.
std::string plugin_name(const Catalogue::Entry& entry);

/// "image", "bytes or text"; empty where there is none.
std::string kinds_text(const std::vector<PayloadKind>& kinds);

/// The stage as an item of a pipeline, without the dash: "resize: { width: 800 }".
std::string example_item(const std::string& name, const Options& options);

/// A whole pipeline with the stage in it.
std::string example_pipeline(const StageFacts& stage);

/// "number, 0..45 degrees", "inside | outside": what may be written.
std::string type_text(const Option& option);

/// "0..45", "1 or more", or nothing: an option's range without its unit.
std::string range_text(const Option& option);

}  // namespace millrace::cli
