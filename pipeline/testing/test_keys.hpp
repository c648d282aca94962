// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "testing/test_case.hpp"

namespace millrace::inline v1 {

/// The keys of a map in `tests`: those that are options, and those that hold a map of their own.
/// For whoever describes the file.
struct TestKeys {
  enum class Shape { map, list_of_maps, map_or_list, texts_by_name };
  std::string key, summary;
  Shape shape = Shape::map;
  bool required = false;
  Options options;  ///< To look at: what is assigned is lost.
  std::vector<TestKeys> maps;
};
const TestKeys& test_keys();

void declare(Options& options, TestCase& test);
void declare(Options& options, Expectation& expect);
void declare(Options& options, ExpectedPicture& picture);
void declare(Options& options, ExpectedText& text);
void declare(Options& options, ExpectedFailure& failure);

}  // namespace millrace::inline v1
