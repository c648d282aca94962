// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "millrace/pipeline.hpp"
#include "plan/draft.hpp"
#include "testing/test_case.hpp"

namespace millrace::inline v1 {

/// What is in a pipeline's file besides the plan, too.
struct Loaded : LoadResult {
  std::vector<TestCase> tests;  ///< Mean something where there is no error.
};

/// Changes a graph without mistakes after its edges are made and before converters are put in.
using Edit = std::function<void(Draft&, const std::vector<TestCase>&)>;

Loaded load_with_tests(const std::string& yaml, const std::string& file,
                       const std::map<std::string, std::string>& sets, const Catalogue& catalogue,
                       const Edit& edit = {});

}  // namespace millrace::inline v1
