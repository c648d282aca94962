// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/diagnostics.hpp"
#include "millrace/option.hpp"
#include "millrace/pipeline.hpp"
#include "stages/support/path_template.hpp"
#include "testing/comparison.hpp"

namespace millrace::inline v1 {

struct Draft;

/// A picture in a file that each output must look like.
///
/// A pixel differs where one of its channels does by more than `tolerance` of the channel's full
/// range. Another size, depth, number of channels or orientation is a difference in itself. Colour
/// counts as much as it is opaque. Profiles and resolution are not compared.
struct ExpectedPicture {
  PathTemplate file;
  Share tolerance{1};
  Share max_different{0};  ///< Of all pixels.
};

/// What the text of each output must have. Runs of white space count as one blank.
struct ExpectedText {
  std::vector<std::string> contains;
  std::optional<PathTemplate> file;
  /// Characters to insert, remove or replace (Levenshtein's distance), of those of the file.
  Share max_error{0};
};

/// A failure that must come; what is empty may be anything.
struct ExpectedFailure {
  enum class Kind { any, input, transient, resource, cancelled, plugin, internal, config };
  std::string item, stage;
  Kind kind = Kind::any;
  std::string message;  ///< A part of it.
};

struct Expectation {
  std::optional<Comparison> count;  ///< Of all outputs.
  std::optional<Comparison> width, height, channels, bits;
  std::optional<std::string> format;
  std::optional<ExpectedPicture> picture;
  std::optional<ExpectedText> text;
  std::optional<std::vector<std::string>> files;
  std::vector<ExpectedFailure> failures;
  std::string refused;  ///< A part of what the pipeline is refused with.

  /// Whether anything is expected of each output.
  bool of_outputs() const;
};

/// An entry of `tests`.
struct TestCase {
  std::string name;
  Position where;
  std::map<std::string, std::vector<std::string>> inputs;  ///< By source; "" is the only one.
  std::string from, to;                                    ///< Ids; empty: sources, sinks.
  std::map<std::string, std::string> set;
  Expectation expect;
};

/// Reads `tests`, which `root` need not have, of a pipeline whose graph is connected. Complains
/// about every mistake; what is returned then means nothing.
std::vector<TestCase> read_tests(const Value& root, const Draft& draft, Diagnostics& diagnostics);

}  // namespace millrace::inline v1
